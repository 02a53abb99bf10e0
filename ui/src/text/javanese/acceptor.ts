import type { AcceptorTexts } from '../acceptor.ts';

const SAFE = 'Arta ingkang sampun dipuntampi tetep kacathet.';
const NOT_NOW = 'Mboten sah nglebetaken arta rumiyin.';
const NO_MORE = 'Mboten sah nglebetaken arta malih.';
const ASK_STAFF = 'Mangga nimbali staf.';
const RELOAD = 'Pencet Reload mesin utawi nimbali staf.';
const WAIT = 'Entosi ngantos wonten seratan Ready.';

export const acceptor: AcceptorTexts = {
	states: {
		ready: { status: 'Ready', advice: 'Mangga setunggal-setunggal.' },
		not_configured: {
			status: 'Tunai dereng wonten ing kiosk punika',
			advice: `${SAFE} Mangga pilih cara sanes utawi mbayar wonten kasir.`,
		},
		disconnected: { status: 'Mesin arta mboten kasambung', advice: `${NOT_NOW} ${SAFE} ${RELOAD}` },
		starting: { status: 'Mesin arta saweg dipuncawisaken', advice: `${NOT_NOW} ${SAFE} ${WAIT}` },
		silent: { status: 'Mesin arta mboten mangsuli', advice: `${NOT_NOW} ${SAFE} ${RELOAD}` },
		garbled: { status: 'Sambungan mesin arta wonten alangan', advice: `${NOT_NOW} ${SAFE} ${RELOAD}` },
		inhibited: { status: 'Mesin arta dereng dipunbikak', advice: `${NOT_NOW} ${SAFE} Pencet Reload mesin kangge miwiti.` },
		busy: { status: 'Mesin arta saweg ngolah', advice: `Entosi sekedhap. ${SAFE} Lebetaken arta malih sasampunipun wonten seratan Ready.` },
		motor_failure: { status: 'Motor mesin arta wonten alangan', advice: `${NO_MORE} ${SAFE} ${ASK_STAFF}` },
		rom_checksum: { status: 'Mesin arta perlu dipunpriksa teknisi', advice: `${NO_MORE} ${SAFE} ${ASK_STAFF}` },
		bill_jam: { status: 'Arta kacepit ing mesin', advice: `Mboten sah narik utawi nambah arta. ${SAFE} ${ASK_STAFF}` },
		bill_removed: {
			status: 'Arta katarik medal saking mesin',
			advice: `Arta ingkang katarik dereng kaetang. ${SAFE} Entosi seratan Ready, lajeng lebetaken malih.`,
		},
		cashbox_open: { status: 'Kothak arta kabikak', advice: `${NOT_NOW} ${SAFE} Mangga nimbali staf kangge nutup kothak arta.` },
		sensor_problem: { status: 'Sensor mesin arta wonten alangan', advice: `${NO_MORE} ${SAFE} ${ASK_STAFF}` },
		communication_failure: { status: 'Mesin arta wonten alangan', advice: `${NO_MORE} ${SAFE} ${RELOAD}` },
		bill_fish: { status: 'Arta kados katarik wangsul', advice: `Mesin kendel nampi arta. ${SAFE} ${ASK_STAFF}` },
		stacker_problem: { status: 'Papan arta wonten alangan', advice: `${NO_MORE} ${SAFE} ${ASK_STAFF}` },
		note_in_doubt: { status: 'Setunggal lembar arta dereng mesthi', advice: `${NO_MORE} Punika sampun kacathet. ${ASK_STAFF}` },
		locked: { status: 'Mesin arta dipunkunci', advice: `Mesin saweg mboten nampi arta. ${SAFE} ${ASK_STAFF}` },
		journal_unhealthy: {
			status: 'Cathetan arta wonten alangan',
			advice: `Mesin mboten nampi arta supados arta panjenengan aman. ${SAFE} ${ASK_STAFF}`,
		},
		journal_newer: {
			status: 'Versi kiosk langkung lami tinimbang cathetanipun',
			advice: `Mesin mboten nampi arta ngantos kiosk dipunenggalaken. ${SAFE} ${ASK_STAFF}`,
		},
		disk_full: { status: 'Panyimpenan kiosk kebak', advice: `Mesin mboten nampi arta supados arta panjenengan aman. ${SAFE} ${ASK_STAFF}` },
		screen_frozen: { status: 'Layar saweg dipunpulihaken', advice: `${NOT_NOW} ${SAFE} ${WAIT}` },
		settings_unconfirmed: {
			status: 'Tunai dipuntutup sawetawis',
			advice: `Setelan kiosk saweg dipunpriksa, mboten sah nglebetaken arta. ${SAFE} ${ASK_STAFF}`,
		},
		note_map_missing: { status: 'Pecahan arta dereng dipunsetel', advice: `Mesin dereng saged nampi arta. ${SAFE} ${ASK_STAFF}` },
	},
	unknown: { status: 'Nyambung dhateng mesin arta…', advice: `${NOT_NOW} ${SAFE} ${WAIT}` },
};
