/** Connects the daemon's parts to the simulated disk, devices, network and screen. */
import { join } from 'node:path';
import type { CallBackOffice } from '../../daemon/src/back-office/client.ts';
import type { OutletToken } from '../../daemon/src/back-office/token.ts';
import type { Clock } from '../../daemon/src/base/clock.ts';
import { type Journal, openJournal } from '../../daemon/src/journal/journal.ts';
import { type Kiosk, startKiosk } from '../../daemon/src/kiosk.ts';
import type { Log } from '../../daemon/src/log/log.ts';
import type { Settings } from '../../daemon/src/settings/settings.ts';
import type { SimDisk } from './sim-disk.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import { judgePaper, nameOf } from './sim-paper.ts';
import { simSockets } from './sim-socket.ts';

const PLENTY_BYTES = 1_000_000_000;

/**
 * Opens the journal on the simulated disk.
 * @param alive whether the process that opens the journal still runs
 */
export function journalOn(disk: SimDisk, clock: Clock, alive: () => boolean): Journal {
	const places = {
		directory: join(disk.directory, 'journal'),
		minFreeBytes: 1,
		headFile: join(disk.directory, 'journal.head'),
		keyFile: join(disk.directory, 'journal.key'),
	};
	return openJournal(places, clock, disk.openFor(alive), () => (disk.full ? 0 : PLENTY_BYTES));
}

interface ProcessParts {
	settings: Settings;
	clock: Clock;
	log: Log;
	journal: Journal;
	token: OutletToken;
	callBackOffice: CallBackOffice;
	/** Whether this process still runs. */
	alive: () => boolean;
}

/** Starts the parts of the daemon that decide about money. */
export function kioskOn(world: SimKiosk, { alive, ...parts }: ProcessParts): Kiosk {
	const { acceptorLine, edcLine, office, printer } = world;
	return startKiosk({
		...parts,
		random: () => world.random.next(),
		newId: () => world.newId(),
		acceptorLine: { open: acceptorLine.openFor(alive), devicePath: null },
		edcLine: { open: edcLine.openFor(alive), devicePath: null },
		codeOf: () => null,
		printer: {
			queue: printer.queueFor(alive, (act) => world.around('printer', act)),
			face: async (rows) => {
				judgePaper(world, rows);
				const { server, name, development } = office.at;
				const where = `${server} ${name}${development ? ' in development' : ''}`;
				return { format: 'application/octet-stream', data: Buffer.from(`${nameOf(rows)} of ${where}`) };
			},
			logo: async () => null,
			limitMs: 60_000,
			clockInDoubt: () => world.clock.wallOffset !== 0,
		},
		openSocket: simSockets(world.clock, world.random, office, alive, (way, act) => world.around(`${way}_socket`, act)),
		isNonCashShown: () => false,
		screenUse: () => ({ calls: 0, code: false, idle_ms: 0 }),
		startHub: world.browser.hubFor(alive),
		onSettled: () => {},
		greeting: () => [],
	});
}
