import { fail, ok } from '../base/result.ts';
import type { JournalRecord } from './records.ts';
import { openStore } from './store.ts';

/** `broken_but_kept`: the write fails although its record is on disk. */
export type Disk = 'well' | 'disk_full' | 'broken' | 'broken_but_kept';

/**
 * @param disk the present state of the disk
 * @param failsRead called before each read; true: this read fails
 * @returns a function like `openStore`, for this disk
 */
export function failingStore(disk: () => Disk, failsRead = () => false): typeof openStore {
	const refuse = () => fail({ code: disk() === 'disk_full' ? ('disk_full' as const) : ('broken' as const), message: 'the disk says no' });
	return (at) => {
		const store = openStore(at);
		if (!store.ok || disk() === 'broken') return refuse();
		const { append, rows } = store.value;
		return ok({
			...store.value,
			rows: (...query: Parameters<typeof rows>) => {
				if (failsRead()) throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
				return rows(...query);
			},
			append: (record: JournalRecord, time: Date) => {
				if (disk() === 'well') return append(record, time);
				if (disk() === 'broken_but_kept') append(record, time);
				return refuse();
			},
		});
	};
}
