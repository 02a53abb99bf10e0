/** Reads a unified kernel image: a PE file whose sections hold kernel, initrd and parameters. */

export interface Section {
	name: string;
	/** Offset in the file; `bytes` is the length without padding. */
	from: number;
	bytes: number;
}

/** @returns the image's sections; null if it is not a complete PE file */
export function sectionsOf(image: Buffer): Section[] | null {
	try {
		const header = image.readUInt32LE(0x3c);
		if (image.toString('latin1', header, header + 4) !== 'PE\0\0') return null;
		const count = image.readUInt16LE(header + 6);
		const table = header + 24 + image.readUInt16LE(header + 20);
		const sections = Array.from({ length: count }, (_, index) => {
			const at = table + index * 40;
			const [used, raw] = [image.readUInt32LE(at + 8), image.readUInt32LE(at + 16)];
			const name = image.toString('latin1', at, at + 8).replace(/\0+$/, '');
			return { name, from: image.readUInt32LE(at + 20), bytes: Math.min(used, raw) };
		});
		return sections.every(({ from, bytes }) => from + bytes <= image.length) ? sections : null;
	} catch {
		return null;
	}
}

/**
 * @returns the root hash in the kernel parameters; null if there is none. The initrd verifies the
 * root against this hash.
 */
export function rootHashIn(image: Buffer): string | null {
	const section = sectionsOf(image)?.find(({ name }) => name === '.cmdline');
	if (section === undefined) return null;
	const parameters = image.toString('latin1', section.from, section.from + section.bytes);
	return /(?:^|\s)roothash=([0-9a-f]{64})(?=[\s\0]|$)/.exec(parameters)?.[1] ?? null;
}
