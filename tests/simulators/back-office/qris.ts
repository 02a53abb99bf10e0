/** Makes one EMVCo field: two-digit tag, two-digit length, value. */
const field = (tag: string, value: string): string => tag + String(value.length).padStart(2, '0') + value;

/** CRC-16/CCITT-FALSE: polynomial 1021, start FFFF. @returns four hex digits */
export function crc16(text: string): string {
	let crc = 0xffff;
	for (const byte of Buffer.from(text)) {
		crc ^= byte << 8;
		for (let bit = 0; bit < 8; bit += 1) crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff;
	}
	return crc.toString(16).toUpperCase().padStart(4, '0');
}

/**
 * @param amount rupiah
 * @param reference the merchant's own reference, at most 25 characters
 * @returns the text of a dynamic QRIS code
 */
export function qrisPayload(amount: number, reference: string): string {
	const acquirer = field('00', 'ID.CO.CONTOH.WWW') + field('01', '936000990000012345') + field('02', '000012345') + field('03', 'UMI');
	const switching = field('00', 'ID.CO.QRIS.WWW') + field('02', 'ID1020001234567') + field('03', 'UMI');
	const body =
		field('00', '01') +
		field('01', '12') +
		field('26', acquirer) +
		field('51', switching) +
		field('52', '5571') +
		field('53', '360') +
		field('54', String(amount)) +
		field('58', 'ID') +
		field('59', 'BENGKEL MAJU MOTOR') +
		field('60', 'JAKARTA') +
		field('61', '12345') +
		field('62', field('01', reference)) +
		'6304';
	return body + crc16(body);
}
