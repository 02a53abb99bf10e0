/** The byte 10 where it is not expected: said twice, out of nowhere, or for a note that was not taken. */
import { expect } from 'vitest';
import { HOST } from './acceptor.ts';
import { eventually, incident } from './incident.ts';

const MONEY = { cashbox: [50_000], credited: [50_000] };
const NOTHING = { cashbox: [], credited: [] };

incident(
	'stacked said twice, and a third time a moment later',
	async (at) => {
		await at.ready();
		at.acceptor.afterAccept = () => at.acceptor.stack([0x10, 0x10]);
		await at.pays(0x45);
		at.acceptor.say(0x10);
		at.acceptor.say(HOST.enable, 0x10);
		await at.settles(MONEY);
	},
	{ on: ['tcp'] },
);

incident(
	'the motor gives an accepted note back and says so twice; the customer feeds it again',
	async (at) => {
		await at.ready();
		at.acceptor.afterAccept = () => at.acceptor.giveBack([0x11, 0x11]);
		at.acceptor.offer(0x45);
		await eventually(() => expect(at.returns()).toEqual(['rejected_by_machine']));
		at.acceptor.afterAccept = () => at.acceptor.stack();
		await at.pays(0x45);
		await at.settles(MONEY);
	},
	{ on: ['tcp'] },
);

incident(
	'stacked out of nowhere, with a customer in front: nobody is credited, a person is told',
	async (at) => {
		await at.ready();
		at.acceptor.say(0x10);
		await at.settles({ ...NOTHING, inDoubt: [null] });
	},
	{ on: ['tcp'] },
);

incident(
	'stacked out of nowhere, twice, with nobody in front',
	async (at) => {
		at.acceptor.say(0x10, 0x10);
		await at.settles({ ...NOTHING, inDoubt: [null] });
	},
	{ on: ['pty'] },
);

incident(
	'a unit that stacks the note it was told to give back',
	async (at) => {
		await at.ready();
		at.acceptor.afterReject = () => at.acceptor.stack();
		at.acceptor.offer(0x45);
		await eventually(() => expect(at.returns()).toEqual(['note_switched_off']));
		await at.settles({ cashbox: [50_000], credited: [], inDoubt: [50_000] });
	},
	{ on: ['tcp'], acceptor: 'switched_off = [50000]' },
);

incident(
	'escrow and stacked in one breath, before anybody could answer',
	async (at) => {
		await at.ready();
		at.acceptor.offer(0x45, []);
		at.acceptor.stack([0x81, 0x45, 0x10]);
		await at.settles({ cashbox: [50_000], credited: [], inDoubt: [50_000] });
		expect(at.acceptor.wrote.filter(({ byte }) => byte === HOST.accept)).toHaveLength(1);
	},
	{ on: ['pty'] },
);
