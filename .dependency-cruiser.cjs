/**
 * The layers of daemon and screen. An import goes from an upper to a lower layer only, type imports
 * included; so there is no ring of folders. `make check` runs it.
 */
const DAEMON_LAYERS = [
	// Clock, results, files: without knowledge of the kiosk.
	'base',
	'log',
	'http',
	'serial',
	'journal',
	// Drivers: bytes of the devices become reports.
	['acceptor', 'acceptor/ict', 'edc', 'edc/bca'],
	'settings',
	// Desks: rules about money.
	'back-office',
	['cash', 'card'],
	'printer',
	'setup',
	// The daemon's side of kioskctl.
	'staff',
	'screen',
	['health', 'metrics'],
	// Wiring, and the command line for technicians.
	['', 'cli'],
];

/** @returns a pattern of all files that lie directly in these folders of the daemon */
const inFolders = (folders) => `^daemon/src/(${folders.map((folder) => (folder === '' ? '' : `${folder}/`)).join('|')})[^/]+$`;

const layers = DAEMON_LAYERS.map((layer) => [layer].flat());
// Tests may import anything.
const TESTS = '\\.(test|fixture)\\.tsx?$';

module.exports = {
	forbidden: [
		{
			name: 'no-circular',
			comment: 'Files that import each other cannot be read or tested one at a time.',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'no-ring-of-folders',
			comment: 'Folders that import each other are one folder in pieces.',
			severity: 'error',
			scope: 'folder',
			from: {},
			to: { circular: true },
		},
		...layers.slice(0, -1).map((layer, index) => ({
			name: `only-downwards: ${layer.join(', ')}`,
			comment: 'A lower layer imports an upper one. Move the shared part down, or pass it in from kiosk.ts or main.ts.',
			severity: 'error',
			from: { path: inFolders(layer) },
			to: { path: inFolders(layers.slice(index + 1).flat()) },
		})),
		{
			name: 'cash-and-card-apart',
			comment: 'The two desks know of each other only what kiosk.ts passes to them.',
			severity: 'error',
			from: { path: '^daemon/src/(cash|card)/' },
			to: { path: '^daemon/src/(cash|card)/', pathNot: '^daemon/src/$1/' },
		},
		{
			name: 'no-tests-in-the-product',
			severity: 'error',
			from: { path: '^(daemon|ui)/' },
			to: { path: '^tests/' },
		},
	],
	options: {
		tsPreCompilationDeps: true,
		parser: 'swc',
		doNotFollow: { path: 'node_modules' },
		exclude: { path: `node_modules|/dist/|${TESTS}` },
	},
};
