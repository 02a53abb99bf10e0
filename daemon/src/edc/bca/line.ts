import type { LineProtocol } from '../../serial/device-lines.ts';
import { ACK, NAK, STX } from './codes.ts';
import { traceOf } from './log-bytes.ts';
import { keepEcr } from './recorded-bytes.ts';
import { showEcr } from './trace-mask.ts';

/**
 * The bytes include card digits, so traces are masked, and the log shows only control bytes. The
 * flood limits allow at least one response of 205 bytes per request and one per second; no terminal
 * sends more for long.
 */
export const ECR_LINE: LineProtocol = {
	name: 'edc',
	spoken: 'card terminal',
	notice: 'edc.line_notice',
	mask: showEcr,
	keep: keepEcr,
	bytes: { shown: traceOf, speaks: (byte) => byte === ACK || byte === NAK || byte === STX },
	flood: { burstBytes: 4_096, bytesPerSecond: 256, bytesPerRequest: 512, sliceBytes: 512 },
};
