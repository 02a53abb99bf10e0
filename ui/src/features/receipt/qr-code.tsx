import { create } from 'qrcode';
import type { CSSProperties } from 'react';

/** Width of the white border in modules. Scanners need this border to find the code. */
const QUIET = 4;

type QrCodeProps = {
	text: string;
	/** `alphanumeric` makes the code smaller, but allows only digits, capitals and `$%*+-./:`. */
	mode: 'alphanumeric' | 'byte';
	className?: string | undefined;
};

/**
 * A QR code, drawn as one black path. `--modules` is the length of its edge in modules, including
 * the white border. With it the style sheet gives each module a whole number of pixels, so that the
 * code is sharp.
 */
export function QrCode({ text, mode, className }: QrCodeProps) {
	const data = mode === 'byte' ? ({ data: new TextEncoder().encode(text), mode } as const) : ({ data: text, mode } as const);
	const { size, data: modules } = create([data], { errorCorrectionLevel: 'M' }).modules;
	const dark = Array.from(modules, (module, at) => (module ? `M${at % size} ${Math.floor(at / size)}h1v1h-1z` : '')).join('');
	const edge = size + 2 * QUIET;
	return (
		<svg
			className={className}
			viewBox={`${-QUIET} ${-QUIET} ${edge} ${edge}`}
			shapeRendering="crispEdges"
			style={{ '--modules': edge } as CSSProperties}
			aria-hidden="true"
		>
			<path d={dark} />
		</svg>
	);
}
