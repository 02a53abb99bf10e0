import { fail, ok } from '../base/result.ts';
import type { JournalRecord } from './records.ts';
import { openStore } from './store.ts';

/** `broken_but_kept`: the write fails although its record is on disk. */
export type Disk = 'well' | 'disk_full' | 'broken' | 'broken_but_kept';

/** @param disk the present state of the disk @returns a function like `openStore`, for this disk */
export function failingStore(disk: () => Disk): typeof openStore {
	const refuse = () => fail({ code: disk() === 'disk_full' ? ('disk_full' as const) : ('broken' as const), message: 'the disk says no' });
	return (at) => {
		const store = openStore(at);
		if (!store.ok || disk() === 'broken') return refuse();
		const { append } = store.value;
		return ok({
			...store.value,
			append: (record: JournalRecord, time: Date) => {
				if (disk() === 'well') return append(record, time);
				if (disk() === 'broken_but_kept') append(record, time);
				return refuse();
			},
		});
	};
}
