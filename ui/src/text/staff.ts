/** What only staff meet: the way into the kiosk, and an address that is none. */
export const staffText = {
	notFound: { title: 'Halaman tidak ditemukan', body: 'Alamat yang dibuka tidak ada di kiosk ini.' },

	login: {
		title: 'Masuk ke kiosk',
		hint: 'Gunakan akun outlet bengkel ini.',
		username: 'Username',
		password: 'Password',
		show: 'Lihat',
		hide: 'Sembunyikan',
		submit: 'Submit',
		usernameEmpty: 'Username wajib diisi',
		passwordEmpty: 'Password wajib diisi',
		refused: 'wrong username or password',
	},

	keyboard: {
		label: 'Papan ketik',
		shift: 'Huruf besar',
		backspace: 'Hapus satu huruf',
		symbols: '#+=',
		letters: 'abc',
		space: 'spasi',
	},
} as const;
