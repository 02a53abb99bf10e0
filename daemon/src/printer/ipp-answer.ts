/**
 * Reads an IPP answer (RFC 8010, section 3). The `ipp` package takes lengths for signed numbers, walks backwards on a damaged answer and
 * fills the memory until the process ends; here every step goes forward, and what does not fit is refused.
 */

/** Version, status and request id: the least an answer has. */
const HEADER_BYTES = 8;
const END_OF_ATTRIBUTES = 0x03;
const LAST_DELIMITER = 0x0f;
/** Values that say that there is none: unknown, no-value, unsupported. */
const LAST_OUT_OF_BAND = 0x1f;
const INTEGER = 0x21;
const ENUM = 0x23;
export const JOB_GROUP = 0x02;
export const PRINTER_GROUP = 0x04;

export interface IppAnswer {
	status: number;
	requestId: number;
	groups: IppGroup[];
}

export interface IppGroup {
	/** The delimiter that opened it. */
	tag: number;
	/** By name: whole numbers of integers and enums, all else as text. Members of collections stand among the values of their collection. */
	attributes: Map<string, (number | string)[]>;
}

/** @throws on bytes that are not a whole IPP answer, with the reason */
export function readIppAnswer(bytes: Buffer): IppAnswer {
	if (bytes.length < HEADER_BYTES) throw new Error(`${bytes.length} bytes`);
	const groups: IppGroup[] = [];
	let at = HEADER_BYTES;
	let values: (number | string)[] | null = null;
	const take = (length: number): Buffer => {
		if (at + length > bytes.length) throw new Error('it is cut off');
		at += length;
		return bytes.subarray(at - length, at);
	};
	const field = (): Buffer => take(take(2).readUInt16BE());
	for (;;) {
		// Some servers leave the last byte out.
		const tag = at === bytes.length ? END_OF_ATTRIBUTES : take(1).readUInt8();
		if (tag === END_OF_ATTRIBUTES) return { status: bytes.readUInt16BE(2), requestId: bytes.readUInt32BE(4), groups };
		if (tag <= LAST_DELIMITER) {
			groups.push({ tag, attributes: new Map() });
			values = null;
			continue;
		}
		const name = field().toString('utf8');
		const value = field();
		// An attribute without a name is one more value of the one before it.
		if (name !== '') {
			values = [];
			groups.at(-1)?.attributes.set(name, values);
		}
		if (values === null) throw new Error('a value belongs to no attribute');
		if (tag > LAST_OUT_OF_BAND) values.push(readValue(tag, value));
	}
}

function readValue(tag: number, value: Buffer): number | string {
	if (tag !== INTEGER && tag !== ENUM) return value.toString('utf8');
	if (value.length !== 4) throw new Error(`a number of ${value.length} bytes`);
	return value.readInt32BE();
}
