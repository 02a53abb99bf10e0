import { EVENTS, type EventId } from './events.ts';
import { messageId } from './journald.ts';

const IDS = (Object.keys(EVENTS) as EventId[]).sort((a, b) => a.localeCompare(b));

const INTRODUCTION = `# Log events

Generated from \`daemon/src/log/events.ts\` by \`make docs\`.

On the appliance every event is a journald entry with separate fields, so \`journalctl\` can search for events by their fields:

\`\`\`sh
journalctl -u kioskd -f                              # follow all events
journalctl KIOSK_PART=cash --since today             # one part: acceptor, cash, card, edc, print, outbox, socket …
journalctl KIOSK_INVOICE=INV/2026/11/0042            # one invoice, from the first note to the last upload
journalctl KIOSK_PAYMENT_ID=1042                     # one invoice by the back office’s id
journalctl KIOSK_NOTE_ID=6f0c…                       # one note; needs the full id
journalctl KIOSK_EVENT=cash.note_in_doubt            # one event of this list
journalctl KIOSK_PART=card + KIOSK_PART=edc          # either of two parts
journalctl -u kioskd -p warning -x                   # warnings and errors, each with its remedy
journalctl KIOSK_ATTEMPT_ID=9b1d… -o json            # one card sale as JSON
\`\`\`

The name of each stored field is \`KIOSK_\` followed by the event's field name in capitals. Without journald the daemon writes one JSON
object per line, with the id in \`event\`. After an event has been logged ten times in a minute, further ones are only counted; one more
entry at the end of the minute gives their number in \`more\`. Money events are never throttled, except disputes and double payments, which
are throttled for each invoice separately. Names of customers, telephone numbers, card numbers and tokens are never logged.

When a device behaves unexpectedly, the last bytes on its line are saved in \`traces/\` of the state directory (\`trace.kept\` names
the file). The newest twenty files of money faults and the newest twenty other files are kept. Card numbers are masked.

`;

/** @returns docs/reference/log-events.md: the table of all events */
export function eventsDocument(): string {
	const rows = IDS.map((id) => {
		const [level, meaning, remedy] = EVENTS[id];
		return `| \`${id}\` | ${level} | ${meaning} | ${remedy} |`;
	});
	return `${INTRODUCTION}| event | level | meaning | remedy |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

/**
 * @returns config/journal/kiosk.catalog, from which `journalctl -x` prints the remedy below an
 * entry (systemd.io/CATALOG)
 */
export function eventsCatalogue(): string {
	const entries = IDS.map((id) => {
		const [, meaning, remedy] = EVENTS[id];
		return `-- ${messageId(id)}\nSubject: ${id}\nDefined-By: kiosk\n\n${meaning}\n${remedy ? `\nWhat to do: ${remedy}\n` : ''}`;
	});
	return `# Generated from daemon/src/log/events.ts by make docs.\n# Install in /usr/lib/systemd/catalog/, then run journalctl --update-catalog.\n\n${entries.join('\n')}`;
}

if (import.meta.main) process.stdout.write(process.argv[2] === 'catalogue' ? eventsCatalogue() : eventsDocument());
