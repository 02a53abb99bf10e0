import { ECR_DEFAULTS, type EcrSettings } from '../../../daemon/src/edc/bca/bca-state.ts';
import { startBcaTerminal } from '../../../daemon/src/edc/bca/driver.ts';
import type { CardTerminal, TerminalReport, TerminalRequest, TerminalResponse } from '../../../daemon/src/edc/terminal.ts';
import { parseDeviceAddress } from '../../../daemon/src/serial/address.ts';
import { serialPort } from '../../../daemon/src/serial/serial-port.ts';
import { tcpPort } from '../../../daemon/src/serial/tcp-port.ts';
import { patientClock } from '../../support/patient-clock.ts';

const LINE = { baud: 115_200, dataBits: 8, parity: 'none', stopBits: 1 } as const;

/**
 * Shortened time limits of the kiosk, which are still long enough for a busy computer. Their order
 * is that of the real limits: a longer limit stays longer.
 */
const QUICK: Partial<EcrSettings> = {
	probe: 'none',
	ackMs: 1_500,
	answerMs: 2_500,
	restMs: 200,
	echoMs: 1_500,
	resendMs: 400,
	probeAgainMs: 500,
};

const clock = patientClock();

/**
 * The daemon's end of the line: its real driver and port, and a recorder of the driver's reports.
 */
export interface KioskEnd {
	/**
	 * Short forms of the reports, in order: "ready", "acked s1", "answer s1 00 137500", "silent s1:
	 * why".
	 */
	told: string[];
	answers: TerminalResponse[];
	log: string[];
	/**
	 * Whether each answer is acknowledged at once, as if it were on disk; if false, the test calls
	 * `acknowledgeNewest`.
	 */
	durable: boolean;
	/** Called with each report. An answer is acknowledged before the call if `durable` is true. */
	react: (report: TerminalReport) => void;
	ask(request_id: string, request?: TerminalRequest): void;
	acknowledgeNewest(): void;
	terminal: CardTerminal;
}

/** @param port as in `[edc] port` */
export function startKioskEnd(port: string, settings: Partial<EcrSettings>, sale: TerminalRequest): KioskEnd {
	const address = parseDeviceAddress(port);
	if (!address.ok) throw new Error(address.error.expected);
	const device = address.value;
	const end: KioskEnd = {
		told: [],
		answers: [],
		log: [],
		durable: true,
		react: () => {},
		ask: (request_id, request = sale) => terminal.request(request, request_id),
		acknowledgeNewest() {
			const newest = end.answers.at(-1);
			if (newest) terminal.acknowledge(newest);
		},
		get terminal() {
			return terminal;
		},
	};
	const terminal = startBcaTerminal({
		open: device.transport === 'tcp' ? tcpPort(device.host, device.port) : serialPort(device.path, LINE, () => {}),
		devicePath: device.transport === 'serial' ? device.path : null,
		settings: { ...ECR_DEFAULTS, ...QUICK, ...settings },
		midSale: false,
		clock,
		log: { event: (event, fields) => void end.log.push(JSON.stringify({ event, ...fields })) },
		report(report) {
			if (report.kind !== 'begun') end.told.push(short(report));
			if (report.kind === 'answer') end.answers.push(report.response);
			if (report.kind === 'answer' && end.durable) terminal.acknowledge(report.response);
			end.react(report);
		},
	});
	return end;
}

function short(report: Exclude<TerminalReport, { kind: 'begun' }>): string {
	switch (report.kind) {
		case 'state':
			return report.state;
		case 'acked':
			return `acked ${report.request_id}`;
		case 'answer':
			return `answer ${report.request_id} ${report.response.code} ${report.response.amount ?? '-'}`;
		default:
			return `${report.kind} ${report.request_id}: ${report.why}`;
	}
}
