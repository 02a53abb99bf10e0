/**
 * Frames of the BCA ECR link from the terminal's side, which reads requests and builds responses.
 *
 * STX · length (two bytes of packed decimals) · version (1 binary byte) · ASCII fields · ETX · LRC.
 * A request has 155 bytes, a response 205. Offsets count from STX = 0.
 */
export const STX = 0x02;
export const ETX = 0x03;
export const ACK = 0x06;
export const NAK = 0x15;

export const REQUEST_BYTES = 155;
export const RESPONSE_BYTES = 205;

/** Offset and width of every field of a request. */
const REQUEST = {
	type: [4, 2],
	amount: [6, 12],
	otherAmount: [18, 12],
	pan: [30, 19],
	expiry: [49, 4],
	cancelReason: [53, 2],
	invoice: [55, 6],
	authId: [61, 6],
	installmentFlag: [67, 1],
	redeemFlag: [68, 1],
	dccFlag: [69, 1],
	installmentPlan: [70, 3],
	installmentTenor: [73, 2],
	genericData: [75, 12],
	reference: [87, 12],
	originalDate: [99, 4],
} as const satisfies Record<string, readonly [number, number]>;

/** Offset and width of a response's fields; for the layout `qris` see `QRIS_APPROVAL_WIDTH`. */
const RESPONSE = {
	type: [4, 2],
	amount: [6, 12],
	otherAmount: [18, 12],
	pan: [30, 19],
	expiry: [49, 4],
	respCode: [53, 2],
	rrn: [55, 12],
	approval: [67, 6],
	date: [73, 8],
	time: [81, 6],
	merchantId: [87, 15],
	terminalId: [102, 8],
	offlineFlag: [110, 1],
	cardholder: [111, 26],
	cashierPan: [137, 16],
	invoice: [153, 6],
	batch: [159, 6],
	issuer: [165, 2],
	installmentFlag: [167, 1],
	dccFlag: [168, 1],
	redeemFlag: [169, 1],
	infoAmount: [170, 12],
	dccDecimals: [182, 1],
	dccCurrency: [183, 3],
	dccRate: [186, 8],
	couponFlag: [194, 1],
	filler: [195, 8],
} as const satisfies Record<string, readonly [number, number]>;

/**
 * In the layout `qris` the approval code has 9 characters. Later fields move by 3, and the filler
 * has 5 characters.
 */
const QRIS_APPROVAL_WIDTH = 9;

export type RequestFields = { version: number } & Record<keyof typeof REQUEST, string>;
export type ResponseFields = Record<keyof typeof RESPONSE, string>;

/** @returns the XOR of all bytes; the LRC covers everything after STX up to and including ETX */
export const lrc = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum ^ byte, 0);

/** @returns the fields of a request of 155 bytes, or the reason why the request is invalid */
export function readRequest(frame: Uint8Array): RequestFields | { wrong: string } {
	if (frame[REQUEST_BYTES - 2] !== ETX) return { wrong: 'no ETX where the length says' };
	if (lrc(frame.subarray(1, REQUEST_BYTES - 1)) !== frame[REQUEST_BYTES - 1]) return { wrong: 'LRC' };
	const ascii = Buffer.from(frame).toString('latin1');
	const fields = Object.entries(REQUEST).map(([name, [offset, width]]) => [name, ascii.slice(offset, offset + width)]);
	return { version: frame[3] ?? 0, ...Object.fromEntries(fields) } as RequestFields;
}

/**
 * @param fields missing fields become spaces; a value that is too long throws
 * @param layout 'qris' moves all fields after the approval code by 3
 */
export function buildResponse(version: number, fields: Partial<ResponseFields>, layout: 'card' | 'qris' = 'card'): Buffer {
	const frame = Buffer.alloc(RESPONSE_BYTES, ' ');
	frame.set([STX, 0x02, 0x00, version]);
	for (const [name, [offset, width]] of Object.entries(RESPONSE)) {
		const value = fields[name as keyof ResponseFields] ?? '';
		const room = layout === 'qris' && name === 'approval' ? QRIS_APPROVAL_WIDTH : width;
		if (value.length > room) throw new Error(`${name} is ${value.length} wide, ${room} fit: "${value}"`);
		const shift = layout === 'qris' && offset > RESPONSE.approval[0] ? QRIS_APPROVAL_WIDTH - RESPONSE.approval[1] : 0;
		if (value !== '') frame.write(value.padEnd(room), offset + shift, 'latin1');
	}
	frame[RESPONSE_BYTES - 2] = ETX;
	frame[RESPONSE_BYTES - 1] = lrc(frame.subarray(1, RESPONSE_BYTES - 1));
	return frame;
}

export type Heard = { kind: 'request'; request: RequestFields } | { kind: 'damaged'; wrong: string } | { kind: 'ack' } | { kind: 'nak' };

/** Splits the stream of bytes into messages by their length and drops other bytes. */
export class RequestReader {
	#buffer = Buffer.alloc(0);

	push(bytes: Uint8Array): Heard[] {
		this.#buffer = Buffer.concat([this.#buffer, bytes]);
		const heard: Heard[] = [];
		for (let next = this.#take(); next !== 'wait'; next = this.#take()) {
			if (next !== 'noise') heard.push(next);
		}
		return heard;
	}

	/** Drops an incomplete frame. @returns whether there was an incomplete frame */
	clear(): boolean {
		const had = this.#buffer.length > 0;
		this.#buffer = Buffer.alloc(0);
		return had;
	}

	#take(): Heard | 'noise' | 'wait' {
		const [first, high, low] = this.#buffer;
		if (first === undefined) return 'wait';
		if (first === STX && high === undefined) return 'wait';
		if (first === STX && high === 0x01 && low === undefined) return 'wait';
		if (first === STX && high === 0x01 && low === 0x50) {
			if (this.#buffer.length < REQUEST_BYTES) return 'wait';
			const request = readRequest(this.#drop(REQUEST_BYTES));
			return 'wrong' in request ? { kind: 'damaged', wrong: request.wrong } : { kind: 'request', request };
		}
		this.#drop(1);
		if (first === ACK) return { kind: 'ack' };
		return first === NAK ? { kind: 'nak' } : 'noise';
	}

	#drop(count: number): Buffer {
		const dropped = this.#buffer.subarray(0, count);
		this.#buffer = this.#buffer.subarray(count);
		return dropped;
	}
}
