/**
 * Converts inputs to editable text: printable ASCII and line feeds stay, every other byte becomes
 * \xNN, a backslash is doubled.
 */
export const readable = (bytes: Uint8Array): string =>
	[...bytes]
		.map((byte) => {
			if (byte === 0x5c) return '\\\\';
			return byte === 0x0a || (byte >= 0x20 && byte < 0x7f) ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
		})
		.join('');

/** Converts the text back; characters outside ASCII become their UTF-8 bytes. */
export function bytesOf(text: string): Buffer {
	const parts = text.split(/(\\\\|\\x[0-9a-f]{2})/);
	return Buffer.concat(
		parts.map((part) => {
			if (part === '\\\\') return Buffer.from('\\');
			return /^\\x[0-9a-f]{2}$/.test(part) ? Buffer.from(part.slice(2), 'hex') : Buffer.from(part, 'utf8');
		}),
	);
}
