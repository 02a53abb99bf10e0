/**
 * The layers of daemon and screen. A layer imports only from lower layers, also types, so that
 * folders cannot form an import cycle. `make check` applies these rules.
 */
const DAEMON_LAYERS = [
	// Clock, results, files: code that is independent of the kiosk.
	'base',
	'log',
	'http',
	'serial',
	'journal',
	// Codes and signatures on paper, and their key.
	'proof',
	// Drivers, which turn bytes of the devices into reports.
	['acceptor', 'acceptor/ict', 'edc', 'edc/bca'],
	'settings',
	// Desks, which contain the rules about money.
	'back-office',
	['cash', 'card'],
	'printer',
	'setup',
	// Rehearsals of hardware faults.
	'rehearsal',
	// The daemon's side of kioskctl.
	'staff',
	// The updater, which runs in separate processes. Health reads its state.
	'update',
	'screen',
	['health', 'metrics'],
	// Wiring, and the command line for technicians.
	['', 'cli'],
];

const UI_LAYERS = [
	'lib',
	// All wording. The Indonesian text loads the translations, which import its types.
	['text', 'text/english', 'text/javanese'],
	// Slices and store: decision 48 in docs/developer/decisions.md.
	'state',
	'components',
	// Parts that make a page an appliance: touch guard, sound, heartbeat.
	'kiosk',
	'features/receipt',
	['features/cash', 'features/card', 'features/transfer', 'features/session', 'features/attract'],
	['features/invoice', 'features/staff'],
	['app', ''],
];

/** @returns a pattern of all files directly in these folders */
const inFolders = (root, folders) => `^${root}(${folders.map((folder) => (folder === '' ? '' : `${folder}/`)).join('|')})[^/]+$`;

/**
 * @returns rules: a layer must not import from later layers, and every folder must belong to a
 * layer
 */
function onlyDownwards(root, layers) {
	const lists = layers.map((layer) => [layer].flat());
	const downwards = lists.slice(0, -1).map((layer, index) => ({
		name: `only-downwards: ${root}${layer.join(', ')}`,
		comment: 'A lower layer imports an upper one. Move the shared part down, or pass it in from where the parts are wired.',
		severity: 'error',
		from: { path: inFolders(root, layer) },
		to: { path: inFolders(root, lists.slice(index + 1).flat()) },
	}));
	const everyFolder = {
		name: `folder-without-layer: ${root}`,
		comment: 'The rules about layers do not hold this folder. Add it to its layer in this file.',
		severity: 'error',
		from: { path: `^${root}`, pathNot: inFolders(root, lists.flat()) },
		to: {},
	};
	return [...downwards, everyFolder];
}
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
			comment: 'Folders that import each other belong together in one folder.',
			severity: 'error',
			scope: 'folder',
			from: {},
			to: { circular: true },
		},
		...onlyDownwards('daemon/src/', DAEMON_LAYERS),
		...onlyDownwards('ui/src/', UI_LAYERS),
		{
			name: 'cash-and-card-apart',
			comment: 'The two desks know of each other only what kiosk.ts passes to them.',
			severity: 'error',
			from: { path: '^daemon/src/(cash|card)/' },
			to: { path: '^daemon/src/(cash|card)/', pathNot: '^daemon/src/$1/' },
		},
		{
			name: 'contract-stands-alone',
			comment: 'Daemon and screen share the contract, so it belongs to neither.',
			severity: 'error',
			from: { path: '^daemon/contract/' },
			to: { path: '^(daemon/src|ui)/' },
		},
		{
			name: 'no-tests-in-the-product',
			severity: 'error',
			from: { path: '^(daemon|ui)/' },
			to: { path: '^tests/' },
		},
	],
	options: {
		parser: 'swc',
		doNotFollow: { path: 'node_modules' },
		exclude: { path: `node_modules|/dist/|${TESTS}` },
	},
};
