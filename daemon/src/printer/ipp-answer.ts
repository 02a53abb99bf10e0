/**
 * Parses an IPP response (RFC 8010, section 3). The parser of the `ipp` package reads lengths as
 * signed numbers: on a damaged response it loops backwards until memory is exhausted. This parser
 * only moves forward and refuses invalid input.
 */

/** Length of version, status and request id. The shortest response has nothing else. */
const HEADER_BYTES = 8;
const END_OF_ATTRIBUTES = 0x03;
const LAST_DELIMITER = 0x0f;
/**
 * An attribute with a tag up to this one has no value (out-of-band: unknown, no-value,
 * unsupported).
 */
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
	/** Delimiter tag of the group. */
	tag: number;
	/**
	 * Values by attribute name: integers and enums as numbers, all others as text. The values of a
	 * collection include the names and values of its members.
	 */
	attributes: Map<string, (number | string)[]>;
}

/** @throws with the reason if the bytes are not a complete IPP response */
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
		// Some servers omit the end tag.
		const tag = at === bytes.length ? END_OF_ATTRIBUTES : take(1).readUInt8();
		if (tag === END_OF_ATTRIBUTES) return { status: bytes.readUInt16BE(2), requestId: bytes.readUInt32BE(4), groups };
		if (tag <= LAST_DELIMITER) {
			groups.push({ tag, attributes: new Map() });
			values = null;
			continue;
		}
		const name = field().toString('utf8');
		const value = field();
		// An attribute without a name is a further value of the previous attribute.
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
