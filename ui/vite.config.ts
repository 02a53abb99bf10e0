import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { firstPaint } from './first-paint.vite.ts';

/** All ports of a run have the same offset, so that two runs can work at the same time. */
const offset = Number(process.env.KIOSK_PORT_OFFSET ?? 0);
const daemon = `http://127.0.0.1:${8080 + offset}`;

/**
 * The daemon checks Host and Origin exactly, so the development server sets both to the daemon's
 * address.
 */
const toDaemon = { target: daemon, changeOrigin: true, ws: true, headers: { origin: daemon } };

/**
 * Leaves out the fetch adapter of axios, which saves 4 kB. axios uses it only if XMLHttpRequest is
 * missing. A null adapter counts as missing.
 */
const axiosWithoutFetch: Plugin = {
	name: 'axios-without-fetch',
	apply: 'build',
	enforce: 'pre',
	resolveId: (id, importer) => (id === './fetch.js' && importer?.includes('/axios/lib/adapters/') ? '\0axios-without-fetch' : null),
	load: (id) => (id === '\0axios-without-fetch' ? 'export const getFetch = () => null;' : null),
};

export default defineConfig({
	root: import.meta.dirname,
	plugins: [react(), axiosWithoutFetch, firstPaint()],
	build: {
		outDir: 'dist',
		emptyOutDir: true,
		// No inlined files, because the content security policy forbids `data:` fonts.
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		target: 'chrome150',
	},
	server: {
		host: '127.0.0.1',
		port: 5173 + offset,
		strictPort: true,
		proxy: { '/auth/': toDaemon, '/payment/': toDaemon, '/kiosk/': toDaemon, '/ws/': toDaemon },
	},
});
