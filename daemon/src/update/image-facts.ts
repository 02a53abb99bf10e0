/** Facts about the running image, read from its own files without the network. */
import { readFileSync } from 'node:fs';

export interface ImageFacts {
	/** Version of the image; null on a system that is not a kiosk image. */
	version: string | null;
	/** When it was built; null if unknown. */
	built: Date | null;
	/** Version of Chromium, and when Debian released it; null if unknown. */
	chromium: { version: string; released: Date } | null;
}

/** @param root folder of the system; "" for the running system */
export function imageFacts(root = ''): ImageFacts {
	const release = textOf(`${root}/etc/os-release`);
	const value = (name: string): string | null => new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(release)?.[1] ?? null;
	return { version: value('IMAGE_VERSION') || null, ...build(textOf(`${root}/usr/share/kiosk/build.json`)) };
}

/**
 * The build writes the file: {"built": ISO time, "chromium": {"version", "released": ISO time}}.
 */
function build(text: string): Pick<ImageFacts, 'built' | 'chromium'> {
	try {
		const { built, chromium } = JSON.parse(text) as { built?: string; chromium?: { version?: string; released?: string } };
		const released = dateOf(chromium?.released);
		return {
			built: dateOf(built),
			chromium: released === null || chromium?.version === undefined ? null : { version: chromium.version, released },
		};
	} catch {
		return { built: null, chromium: null };
	}
}

function dateOf(text: string | undefined): Date | null {
	const date = new Date(text ?? '');
	return Number.isNaN(date.getTime()) ? null : date;
}

function textOf(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}
