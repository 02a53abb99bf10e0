/** One file of an archive. */
export interface TarFile {
	name: string;
	text: string;
}

const BLOCK = 512;

/**
 * @param seconds modification time of every file, in seconds since 1970
 * @returns an archive in the ustar format (POSIX.1-1988)
 */
export function tarOf(files: readonly TarFile[], seconds: number): Buffer {
	const blocks = files.flatMap(({ name, text }) => {
		const data = Buffer.from(text);
		const rest = (BLOCK - (data.length % BLOCK)) % BLOCK;
		return [header(name, data.length, seconds), data, Buffer.alloc(rest)];
	});
	return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function header(name: string, size: number, seconds: number): Buffer {
	if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long a name for a tar archive`);
	const block = Buffer.alloc(BLOCK);
	const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
	block.write(name, 0);
	block.write(octal(0o600, 7), 100);
	block.write(octal(0, 7), 108);
	block.write(octal(0, 7), 116);
	block.write(octal(size, 11), 124);
	block.write(octal(Math.floor(seconds), 11), 136);
	// The checksum is computed with blanks in the checksum field.
	block.write(' '.repeat(8), 148);
	block.write('0', 156);
	block.write('ustar\x0000', 257);
	const sum = block.reduce((total, byte) => total + byte, 0);
	block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
	return block;
}
