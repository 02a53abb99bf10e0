/** The key screens. The repository contains a reference picture of each. */
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

/** Names of the pictures of key screens in Indonesian: STATE.SIZE.LANGUAGE. */
export const KEY_SCREENS = [...LANDSCAPE.map((state) => `${state}.L.id`), ...PORTRAIT.map((state) => `${state}.P.id`)];
