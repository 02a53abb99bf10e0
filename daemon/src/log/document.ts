import { EVENTS, type EventId } from './events.ts';
import { messageId } from './journald.ts';

const IDS = (Object.keys(EVENTS) as EventId[]).sort((a, b) => a.localeCompare(b));

const INTRODUCTION = `# Log events

Made from \`daemon/src/log/events.ts\` by \`make docs\`; a test keeps it current.

On the appliance every event is an entry of journald with fields of its own, so that its own program finds it:

\`\`\`sh
journalctl -u kioskd -f                              # everything, as it comes
journalctl KIOSK_PART=cash --since today             # one part: acceptor, cash, card, edc, print, outbox, socket …
journalctl KIOSK_INVOICE=INV/2026/11/0042            # one invoice, from the first note to the last upload
journalctl KIOSK_PAYMENT_ID=1042                     # the same by the back office’s number
journalctl KIOSK_NOTE_ID=6f0c…                       # one note; whole ids, as kioskctl and the slips print them
journalctl KIOSK_EVENT=cash.note_in_doubt            # one event of this list
journalctl KIOSK_PART=card + KIOSK_PART=edc          # one or the other
journalctl -u kioskd -p warning -x                   # what is wrong, each with what to do about it
journalctl KIOSK_ATTEMPT_ID=9b1d… -o json            # one card sale, for a program
\`\`\`

Every field of an event is there as \`KIOSK_\` and its name in capitals. Everywhere else the daemon writes the same as one JSON object a
line, with \`event\` as the id. An event that repeats more than ten times a minute is counted and said once more at the end of that minute,
with \`more\`; what is about money is always written each time. No name, telephone number, card number or token is ever written.

When a device does something that nobody expected, the last bytes on its line are kept in \`traces/\` of the state directory
(\`trace.kept\` names the file): the newest twenty of faults about money, and twenty others. Digits of cards are not in them.

`;

/** @returns docs/reference/log-events.md: every event the daemon logs, for the technician who filters them */
export function eventsDocument(): string {
	const rows = IDS.map((id) => {
		const [level, meaning, remedy] = EVENTS[id];
		return `| \`${id}\` | ${level} | ${meaning} | ${remedy} |`;
	});
	return `${INTRODUCTION}| event | level | what happened | what to do |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

/** @returns config/journal/kiosk.catalog: with it `journalctl -x` says below an entry what to do (systemd.io/CATALOG) */
export function eventsCatalogue(): string {
	const entries = IDS.map((id) => {
		const [, meaning, remedy] = EVENTS[id];
		return `-- ${messageId(id)}\nSubject: ${id}\nDefined-By: kiosk\n\n${meaning}\n${remedy ? `\nWhat to do: ${remedy}\n` : ''}`;
	});
	return `# Made from daemon/src/log/events.ts by make docs. Belongs into /usr/lib/systemd/catalog/; then journalctl --update-catalog.\n\n${entries.join('\n')}`;
}

if (import.meta.main) process.stdout.write(process.argv[2] === 'catalogue' ? eventsCatalogue() : eventsDocument());
