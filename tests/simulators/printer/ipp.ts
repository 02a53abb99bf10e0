/**
 * The printer's side of IPP/1.1, as far as a receipt printer needs it. RFC 8010 defines the
 * encoding, RFC 8011 the meaning.
 */

/** Delimiter tags, RFC 8010 section 3.5.1. */
const END_OF_ATTRIBUTES = 0x03;
const LAST_DELIMITER = 0x0f;
export const GROUP = { operation: 0x01, job: 0x02, printer: 0x04 } as const;

/** Value tags, RFC 8010 section 3.5.2. */
const TAG = {
	integer: 0x21,
	boolean: 0x22,
	enum: 0x23,
	text: 0x41,
	name: 0x42,
	keyword: 0x44,
	uri: 0x45,
	charset: 0x47,
	language: 0x48,
	mime: 0x49,
} as const;
export type ValueType = keyof typeof TAG;

export const OPERATION = {
	printJob: 0x0002,
	validateJob: 0x0004,
	cancelJob: 0x0008,
	getJobAttributes: 0x0009,
	getJobs: 0x000a,
	getPrinterAttributes: 0x000b,
	pausePrinter: 0x0010,
	resumePrinter: 0x0011,
} as const;

export const STATUS = {
	ok: 0x0000,
	badRequest: 0x0400,
	notPossible: 0x0404,
	notFound: 0x0406,
	documentFormatNotSupported: 0x040a,
	operationNotSupported: 0x0501,
	notAcceptingJobs: 0x0506,
} as const;

export const JOB_STATE = {
	pending: 3,
	pendingHeld: 4,
	processing: 5,
	processingStopped: 6,
	canceled: 7,
	aborted: 8,
	completed: 9,
} as const;
export const PRINTER_STATE = { idle: 3, processing: 4, stopped: 5 } as const;

export interface IppRequest {
	version: [number, number];
	operation: number;
	requestId: number;
	/**
	 * The attributes of all groups, by name. Integers and enums are numbers; other values are text or
	 * booleans.
	 */
	attributes: Map<string, (string | number | boolean)[]>;
	/** The document after the attributes. */
	data: Buffer;
}

/** One attribute of an answer. Several values are sent as a set. */
export interface Attribute {
	name: string;
	type: ValueType;
	values: readonly (string | number | boolean)[];
}
export interface AttributeGroup {
	tag: number;
	attributes: readonly Attribute[];
}

export const attribute = (name: string, type: ValueType, ...values: (string | number | boolean)[]): Attribute => ({ name, type, values });

/** @returns the request; throws RangeError if the bytes end too early */
export function parseRequest(bytes: Buffer): IppRequest {
	const attributes: IppRequest['attributes'] = new Map();
	let at = 8;
	let name = '';
	for (let tag = bytes.readUInt8(at); tag !== END_OF_ATTRIBUTES; tag = bytes.readUInt8(at)) {
		at += 1;
		if (tag <= LAST_DELIMITER) continue;
		const nameLength = bytes.readUInt16BE(at);
		// An attribute with an empty name adds a value to the previous attribute.
		if (nameLength > 0) name = bytes.toString('utf8', at + 2, at + 2 + nameLength);
		at += 2 + nameLength;
		const valueLength = bytes.readUInt16BE(at);
		const value = bytes.subarray(at + 2, at + 2 + valueLength);
		at += 2 + valueLength;
		attributes.set(name, [...(nameLength > 0 ? [] : (attributes.get(name) ?? [])), readValue(tag, value)]);
	}
	return {
		version: [bytes.readUInt8(0), bytes.readUInt8(1)],
		operation: bytes.readUInt16BE(2),
		requestId: bytes.readInt32BE(4),
		attributes,
		data: bytes.subarray(at + 1),
	};
}

function readValue(tag: number, value: Buffer): string | number | boolean {
	if (tag === TAG.integer || tag === TAG.enum) return value.readInt32BE(0);
	if (tag === TAG.boolean) return value.readUInt8(0) === 1;
	return value.toString('utf8');
}

/** @returns the answer to `request`; charset and language come first, as IPP requires */
export function answerTo(
	request: { version: [number, number]; requestId: number },
	status: number,
	groups: readonly AttributeGroup[],
): Buffer {
	const head = Buffer.alloc(8);
	head.writeUInt8(request.version[0], 0);
	head.writeUInt8(request.version[1], 1);
	head.writeUInt16BE(status, 2);
	head.writeInt32BE(request.requestId, 4);
	const opening: AttributeGroup = {
		tag: GROUP.operation,
		attributes: [attribute('attributes-charset', 'charset', 'utf-8'), attribute('attributes-natural-language', 'language', 'en')],
	};
	const body = [opening, ...groups].flatMap((group) => [Buffer.of(group.tag), ...group.attributes.flatMap(encodeAttribute)]);
	return Buffer.concat([head, ...body, Buffer.of(END_OF_ATTRIBUTES)]);
}

function encodeAttribute({ name, type, values }: Attribute): Buffer[] {
	return values.map((value, index) => {
		const encodedName = Buffer.from(index === 0 ? name : '');
		const encodedValue = encodeValue(type, value);
		return Buffer.concat([Buffer.of(TAG[type]), twoBytes(encodedName.length), encodedName, twoBytes(encodedValue.length), encodedValue]);
	});
}

function encodeValue(type: ValueType, value: string | number | boolean): Buffer {
	if (type === 'boolean') return Buffer.of(value === true ? 1 : 0);
	if (type !== 'integer' && type !== 'enum') return Buffer.from(String(value));
	const bytes = Buffer.alloc(4);
	bytes.writeInt32BE(Number(value));
	return bytes;
}

function twoBytes(value: number): Buffer {
	const bytes = Buffer.alloc(2);
	bytes.writeUInt16BE(value);
	return bytes;
}
