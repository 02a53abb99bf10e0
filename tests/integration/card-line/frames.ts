/**
 * Frames of a terminal. They are built from the protocol's field table without the daemon's codec,
 * so that a mistake in the codec fails the tests. Offsets count from STX, which is at 0.
 */
export const STX = 0x02;
export const ETX = 0x03;
export const ACK = 0x06;
export const NAK = 0x15;
export const ANSWER_BYTES = 205;

export interface Answer {
	version?: number;
	type?: string;
	/** A text is written into the frame unchanged; a number is an amount in rupiah. */
	amount?: number | string;
	pan?: string;
	code?: string;
	rrn?: string;
	approval?: string;
	/** YYYYMMDDHHMMSS */
	time?: string;
	merchant?: string;
	terminal?: string;
	name?: string;
	invoice?: string;
	batch?: string;
	issuer?: string;
	/**
	 * Uses the layout of QR answers that most terminals send: the approval code has 9 characters
	 * instead of 6, and all later fields move by 3.
	 */
	wide?: boolean;
	/** LRC that the frame must have; two filler characters are chosen to produce it. */
	lrc?: number;
}

export const xor = (bytes: Iterable<number>): number => [...bytes].reduce((sum, byte) => sum ^ byte, 0);

/** @returns an answer; by default an approved sale of Rp 137.500 */
export function answer(fields: Answer = {}): number[] {
	const moved = fields.wide ? 3 : 0;
	const amount = fields.amount ?? 137_500;
	const text = put(
		[4, fields.type ?? '01'],
		[6, typeof amount === 'number' ? String(amount * 100).padStart(12, '0') : amount],
		[18, '000000000000'],
		[30, fields.pan ?? '************3367'],
		[49, '****'],
		[53, fields.code ?? '00'],
		[55, (fields.rrn ?? '000417').padStart(12)],
		[67, fields.approval ?? 'R54469'],
		[73 + moved, fields.time ?? '20261120101500'],
		[87 + moved, fields.merchant ?? '000885000012345'],
		[102 + moved, fields.terminal ?? 'ECR00417'],
		[110 + moved, 'N'],
		[111 + moved, fields.name ?? '/ '.padStart(26)],
		[153 + moved, fields.invoice ?? '000021'],
		[159 + moved, fields.batch ?? '000003'],
		[165 + moved, fields.issuer ?? '00'],
		[167 + moved, 'NNN'],
		[170 + moved, '000000000000'],
		[194 + moved, 'N'],
	);
	return seal(fields.version ?? 1, text, fields.lrc);
}

/** @returns a refusal whose code is followed by spaces, or by zeros and N */
export function refusal(code: string, shape: 'spaces' | 'zeros' = 'spaces', type = '01', version = 1): number[] {
	const head = `${type}${'0'.repeat(24)}`;
	if (shape === 'spaces') return seal(version, put([4, head], [53, code]));
	const numbers = '0'.repeat(12 + 6 + 8 + 6);
	return seal(
		version,
		put([4, head], [49, '0000'], [53, code], [55, numbers], [110, 'N'], [153, '0'.repeat(12)], [167, 'NNN'], [194, 'N']),
	);
}

/** @returns the 199 characters of a frame: these texts at these offsets, spaces elsewhere */
function put(...pieces: readonly (readonly [number, string])[]): string {
	const characters = Array.from({ length: 199 }, () => ' ');
	for (const [at, text] of pieces) characters.splice(at - 4, text.length, ...text);
	return characters.join('');
}

/** Adds STX, length, version, ETX and LRC to 199 characters. */
export function seal(version: number, data: string, lrc?: number): number[] {
	const body = [0x02, 0x00, version, ...Buffer.from(data, 'latin1'), ETX];
	if (lrc !== undefined) {
		const [first, second] = pairOf(xor(body) ^ lrc);
		body.splice(-3, 2, first, second);
	}
	return [STX, ...body, xor(body)];
}

/**
 * @returns two printable characters that change an XOR by `difference` when they replace two spaces
 */
function pairOf(difference: number): [number, number] {
	for (let first = 0x20; first < 0x7f; first += 1) {
		const second = first ^ difference;
		if (second >= 0x20 && second < 0x7f) return [first, second];
	}
	throw new Error(`no printable pair changes the XOR by ${difference}`);
}

/** @returns the text of this width at this offset of a request */
export const requestText = (frame: Uint8Array, at: number, width: number): string => Buffer.from(frame).toString('latin1', at, at + width);
