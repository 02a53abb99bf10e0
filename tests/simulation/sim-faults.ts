import { MISHAPS } from '../simulators/acceptor/behaviour.ts';
import type { LastingFault } from '../simulators/acceptor/bytes.ts';
import { TERMINAL_MODES } from '../simulators/edc/terminal.ts';
import type { Random } from '../support/random.ts';
import { payElsewhere } from './sim-adversary.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import type { Network } from './sim-office.ts';
import { watchBox, watchStop } from './sim-watch.ts';

/**
 * Each function injects one fault. If the fault does not end by itself, the function ends it later.
 */
export const FAULTS: Readonly<Record<string, (world: SimKiosk, random: Random) => void>> = {
	process_killed: (world, random) => {
		world.die('killed');
		restartLater(world, random.int(1_000, 15_000));
	},
	/**
	 * Stops the daemon as systemd does: requests a stop, and sends SIGKILL if the stop takes too
	 * long.
	 */
	restart: (world, random) => {
		const { kiosk, starts } = world;
		if (kiosk === null) return;
		const end = (why: string): void => {
			if (world.starts !== starts || world.kiosk === null) return;
			world.die(why);
			restartLater(world, random.int(500, 3_000));
		};
		const stopped = watchStop(world);
		void kiosk.stop().then(() => {
			if (world.kiosk === kiosk) stopped();
			end('stopped');
		});
		world.clock.after(90_000, () => end('killed, because it did not stop'));
	},
	/**
	 * Cuts the power of kiosk, acceptor and terminal. A moving note is stacked or returned by the
	 * acceptor's mechanics.
	 */
	power_cut: (world, random) => {
		world.die('power cut');
		const wasStacking = world.acceptor.note?.place === 'stacking';
		world.acceptor.switchOff(wasStacking && random.chance(0.7) ? 'stacked' : 'returned');
		world.terminal.switchOff(random.chance(0.3));
		world.clock.after(random.int(3_000, 30_000), () => {
			world.acceptor.switchOn();
			world.terminal.switchOn();
			world.boot();
		});
	},
	power_cut_at_write: (world, random) => atNextWrite(world, random, random.pick(['power_cut_before', 'power_cut_after'])),
	disk_sync_fails: (world, random) => atNextWrite(world, random, random.pick(['sync_failed', 'sync_failed_but_kept'])),
	disk_full: (world, random) => {
		world.disk.full = true;
		world.clock.after(random.int(5_000, 60_000), () => {
			world.disk.full = false;
		});
	},
	network: (world, random) => {
		world.office.network = random.pick<Network>(['down', 'lossy', 'slow']);
		world.clock.after(random.int(5_000, 120_000), () => {
			world.office.network = 'good';
		});
	},
	acceptor_mishap: (world, random) => void world.acceptor.nextMishaps.add(random.pick(MISHAPS)),
	acceptor_fault: (world, random) => {
		const fault = random.pick<LastingFault>(['jam', 'motor', 'sensor', 'stacker', 'fish']);
		world.acceptor.break(fault);
		world.clock.after(random.int(2_000, 30_000), () => {
			const end = random.pick(['returned', 'stacked', 'removed'] as const);
			// While the kiosk does not listen or waits for STACKED of another note, a note that was never
			// offered can be pushed into the cashbox. Only the cashbox count shows such a note;
			// docs/developer/money.md names this limit. Here a person removes the note instead.
			const isAmbiguous =
				!world.acceptorLine.isHeard || world.rows(`SELECT 1 FROM notes WHERE state IN ('intended', 'in_doubt')`).length > 0;
			const isUnknowable = world.acceptor.note?.accepted === false && isAmbiguous;
			world.acceptor.clear(end === 'stacked' && isUnknowable ? 'removed' : end);
		});
	},
	cashbox: (world, random) => {
		const times = random.pick([1, 1, 1, 2]);
		// Fishing locks the acceptor, and the lock hides the state of the cashbox.
		if (times > 1 && world.acceptor.fault === null) {
			world.acceptor.break('fish');
			world.clock.after(1_000, () => world.acceptor.clear('returned'));
		}
		for (let time = 0; time < times; time += 1) world.clock.after(time * 40_000 + 2_000, () => moveBox(world, random));
	},
	note_pulled: (world) => void world.acceptor.pullNote(),
	// The adapter stays plugged in while a note that was never accepted is stacking. Otherwise its
	// STACKED would be lost, and only the cashbox count would show this note.
	acceptor_unplugged: (world, random) =>
		world.acceptor.note?.place === 'stacking' && !world.acceptor.note.accepted ? undefined : unplug(world.acceptorLine, world, random),
	edc_unplugged: (world, random) => unplug(world.edcLine, world, random),
	acceptor_power: (world, random) => {
		// The power cut stacks only an accepted note. If it stacked a note that a cleared jam pushes
		// without ACCEPT, the kiosk could not learn of this note.
		const isStacking = world.acceptor.note?.place === 'stacking' && world.staff.holdsAccepted();
		world.acceptor.switchOff(isStacking && random.chance(0.5) ? 'stacked' : 'returned');
		world.clock.after(random.int(500, 20_000), () => world.acceptor.switchOn());
	},
	acceptor_noise: (world, random) => world.acceptorLine.say(Uint8Array.from({ length: random.int(1, 12) }, () => random.pick(NOISE))),
	edc_noise: (world, random) => world.edcLine.say(Uint8Array.from({ length: random.int(1, 60) }, () => random.int(0, 255))),
	edc_mode: (world, random) => {
		world.terminal.setMode(random.pick(TERMINAL_MODES), { ms: random.int(1_000, 140_000), times: random.int(1, 4) });
		world.clock.after(random.int(10_000, 180_000), () => world.terminal.setMode('normal'));
	},
	edc_power: (world, random) => {
		world.terminal.switchOff(random.chance(0.4));
		world.clock.after(random.int(1_000, 20_000), () => world.terminal.switchOn());
	},
	screen_reload: (world) => world.browser.reload(false),
	socket_lost: (world) => world.browser.open(),
	screen_gone: (world, random) => {
		world.browser.close();
		const browser = random.chance(0.6);
		world.clock.after(random.int(500, 40_000), () => world.kiosk !== null && (browser ? world.browser.reload(true) : world.browser.open()));
	},
	/** The browser hangs for up to two minutes, but its socket stays open. */
	picture_frozen: (world, random) => {
		world.screen.drawing = false;
		world.clock.after(random.int(2_000, 120_000), () => {
			world.screen.drawing = true;
		});
	},
	wall_clock: (world, random) => {
		// The clock is never set back further than by a dead battery.
		world.clock.wallOffset = Math.max(
			world.clock.wallOffset + random.pick([-3_600_000, 86_400_000, DEAD_BATTERY_MS, 60_000]),
			DEAD_BATTERY_MS,
		);
	},
	printer: (world, random) => {
		if (random.chance(0.5)) world.printer.paper = false;
		else world.printer.reachable = false;
		world.clock.after(random.int(2_000, 90_000), () => {
			world.printer.paper = true;
			world.printer.reachable = true;
		});
	},
	paid_elsewhere: (world, random) => {
		const open = world.office.books.invoices.filter((invoice) => !invoice.is_paid);
		if (open.length > 0) payElsewhere(world, random.pick(open), random.pick(['qris', 'va']));
	},
};

/** Offset from the start of the simulation to the time on a PC with a dead battery, ms. */
const DEAD_BATTERY_MS = -800_000_000_000;

/**
 * Bytes without a meaning in the acceptor's protocol. A kiosk could not recognise noise that has a
 * meaning.
 */
const NOISE = [0x00, 0xff, 0x3f, 0x7f, 0xfe];

function restartLater(world: SimKiosk, ms: number): void {
	world.clock.after(ms, () => world.boot());
}

function atNextWrite(
	world: SimKiosk,
	random: Random,
	fate: 'power_cut_before' | 'power_cut_after' | 'sync_failed' | 'sync_failed_but_kept',
): void {
	const due = world.disk.writes + random.int(1, 4);
	world.disk.fate = (write) => {
		if (write !== due) return 'well';
		world.note(`disk: ${fate} at write ${write}`);
		if (fate.startsWith('power_cut')) restartLater(world, random.int(1_000, 10_000));
		return fate;
	};
}

/** Removes the cashbox and returns it later. */
function moveBox(world: SimKiosk, random: Random): void {
	if (world.healed) return;
	watchBox(world, 'cashbox_removed');
	world.acceptor.removeCashbox();
	// After a bad contact or a quick theft, the box may be back before the next poll.
	const outMs = random.chance(0.2) ? 1 : random.int(2_000, 30_000);
	// After a power cut the unit reports again that the cashbox is out. This is no second removal.
	if (outMs > 20_000) {
		world.clock.after(1_500, () => world.acceptor.switchOff('returned'));
		world.clock.after(3_000, () => world.acceptor.switchOn());
	}
	world.clock.after(outMs, () => {
		if (world.acceptor.cashboxOut) watchBox(world, 'cashbox_returned');
		world.acceptor.returnCashbox();
	});
}

function unplug(line: { plug(plugged: boolean): void }, world: SimKiosk, random: Random): void {
	line.plug(false);
	world.clock.after(random.int(500, 20_000), () => line.plug(true));
}

/**
 * Ends all faults, except a wrong clock and a server's missing call for notes. Open items must then
 * settle automatically or through staff.
 */
export function heal(world: SimKiosk): void {
	world.healed = true;
	world.office.network = 'good';
	world.office.odd = 0;
	for (const outlet of world.office.outlets) outlet.refuseNext = null;
	world.disk.full = false;
	world.disk.fate = () => 'well';
	world.acceptorLine.plug(true);
	world.edcLine.plug(true);
	world.acceptor.switchOn();
	if (world.acceptor.fault !== null) world.acceptor.clear('returned');
	if (world.acceptor.cashboxOut) world.acceptor.returnCashbox();
	world.acceptor.nextMishaps.clear();
	world.terminal.switchOn();
	world.terminal.setMode('normal');
	world.printer.paper = true;
	world.printer.reachable = true;
	world.screen.drawing = true;
	world.screen.says = null;
	world.boot();
	world.browser.reload(true);
}

/** Limit of the wait until a run has settled, ms. Most runs settle much sooner. */
const LONGEST_REST_MS = 400_000;
const LOOK_MS = 10_000;

/** Runs until no sale, note or print is open and every report is sent, or until the limit. */
export async function runUntilSettled(world: SimKiosk): Promise<void> {
	const open = `SELECT 1 FROM notes WHERE state = 'intended' OR (state = 'credited' AND uploaded_seq IS NULL AND payment_id IS NOT NULL)
		UNION ALL SELECT 1 FROM card_sales WHERE state = 'sent' OR (state = 'approved' AND relayed_seq IS NULL)
		UNION ALL SELECT 1 FROM prints WHERE state = 'requested'`;
	await world.run(2 * LOOK_MS);
	for (let waited = 0; waited < LONGEST_REST_MS && world.rows(open).length > 0; waited += LOOK_MS) await world.run(LOOK_MS);
}
