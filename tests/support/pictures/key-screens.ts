/** Screens of which every customer sees some; references for them are in the repository. */
const LANDSCAPE = [
	'home',
	'not-found',
	'method',
	'method-non-cash',
	'cash',
	'cash-notes',
	'cash-doubt',
	'paid',
	'qris',
	'va',
	'card',
	'staff-home',
];
const PORTRAIT = ['home', 'method', 'cash', 'cash-notes', 'paid', 'qris', 'va', 'card'];

/** Names of the key pictures, in Indonesian: STATE.SIZE.LANGUAGE. */
export const KEY_SCREENS = [...LANDSCAPE.map((state) => `${state}.L.id`), ...PORTRAIT.map((state) => `${state}.P.id`)];
