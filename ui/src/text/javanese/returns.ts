import type { ReturnTexts } from '../returns.ts';

export const returns: ReturnTexts = {
	no_session: 'Dereng wonten pambayaran tunai. Lebetaken nomer HP panjenengan rumiyin.',
	unmapped_note: 'Pecahan punika mboten dipuntepangi mesin. Mangga ngagem pecahan sanes.',
	note_switched_off: 'Pecahan punika mboten dipuntampi ing kiosk punika. Mangga ngagem pecahan sanes.',
	too_large: 'Ageng sanget kangge kiranganipun tagihan. Mangga ngagem pecahan ingkang langkung alit.',
	journal_unhealthy: 'Cathetan arta saweg wonten alangan. Mboten sah nglebetaken arta malih, mangga nimbali staf.',
	journal_newer: 'Kiosk perlu dipunenggalaken rumiyin. Mboten sah nglebetaken arta malih, mangga nimbali staf.',
	disk_full: 'Panyimpenan kiosk kebak. Mboten sah nglebetaken arta malih, mangga nimbali staf.',
	unreadable: 'Arta mboten kawaos. Dipunrapikaken, lajeng lebetaken malih sasampunipun seratan Ready.',
	rejected_by_machine: 'Mesin nampik arta punika. Cobi malih utawi mangga ngagem lembar sanes.',
	decided_too_late: 'Pamriksan dangu sanget. Lebetaken malih sasampunipun seratan Ready.',
	screen_frozen: 'Layar kala wau kendel, arta punika mboten kaetang. Lebetaken malih sasampunipun seratan Ready.',
	settings_unconfirmed: 'Tunai saweg dipuntutup, arta punika mboten kaetang. Mangga nimbali staf.',
	closing: 'Pambayaran punika saweg dipuntutup, arta punika mboten kaetang. Lebetaken nomer panjenengan malih kangge mbayar.',
};
