import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { firstPaint } from './first-paint.vite.ts';

/** This offset moves all ports of a run, so that two runs can work at the same time. */
const offset = Number(process.env.KIOSK_PORT_OFFSET ?? 0);
const daemon = `http://127.0.0.1:${8080 + offset}`;

/**
 * The daemon refuses any other Host or Origin than its own, so the development server sets both to
 * the daemon's address.
 */
const toDaemon = { target: daemon, changeOrigin: true, ws: true, headers: { origin: daemon } };

/**
 * Leaves the fetch adapter out of axios and saves 4 kB. axios uses this adapter only if
 * XMLHttpRequest is missing. It is replaced by null, which axios treats as a missing adapter.
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
		// Files are not inlined, because the content security policy forbids `data:` fonts.
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
