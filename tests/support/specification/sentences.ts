/**
 * A sentence of the specification in short form. Wordings on screen and paper are quoted letter for
 * letter.
 */
export interface Sentence {
	/**
	 * The section of the specification and a number. Test titles name this id, e.g. `[spec 2.3.1]`.
	 */
	id: string;
	says: string;
	/**
	 * A gap in the specification, or how the kiosk deviates from it; then the decision and a
	 * reference.
	 */
	open?: string;
}

export interface Section {
	title: string;
	sentences: readonly Sentence[];
}

export const SECTIONS: readonly Section[] = [
	{
		title: '2.1 Routes and layout',
		sentences: [
			{
				id: '2.1.1',
				says: '`/`, `/payment-method`, `/cash-payment`, `/non-cash-payment`, `/edc-bca-payment`: promo on the left, invoice on the right',
				open: 'a portrait panel stacks promo, invoice and task; a small panel (15.6 inch) shows no promo beside the cash screen',
			},
			{
				id: '2.1.2',
				says: '`/daftar-transaksi` is part of the layout',
				open: 'it has no invoice panel, because no customer is involved. The PIN view is beside the promo; the open list uses the whole width and hides the promo',
			},
			{ id: '2.1.3', says: '`/login`, the print page `/cetak`, and a 404 page for any other path' },
			{ id: '2.1.4', says: 'The right panel shows the invoice that the payment screens set' },
			{
				id: '2.1.5',
				says: 'The promo film, one entry of a list, plays on the left, looped and muted',
				open: 'it pauses during a payment; [back-office.md](back-office.md), *The promo film*',
			},
			{ id: '2.1.6', says: 'The film plays only where it is enabled' },
			{
				id: '2.1.7',
				says: 'The specification names no panel sizes',
				open: 'screens are measured in a real browser, landscape and portrait',
			},
		],
	},
	{
		title: '2.2 /login and the logout route',
		sentences: [
			{ id: '2.2.1', says: 'Username, password, Submit; Enter submits' },
			{ id: '2.2.2', says: 'A toggle shows and hides the password' },
			{
				id: '2.2.3',
				says: 'A red alert that can be closed; its default text is "wrong username or password"',
				open: 'section 8 has another default. A refusal (400, 401) without a message gets the default of 2.2, any other failure the default of section 8',
			},
			{
				id: '2.2.4',
				says: 'Logout clears the session cookie and leads to `/login`',
				open: 'the route ends the session of the page; the outlet itself is logged out only by a button behind the PIN',
			},
		],
	},
	{
		title: '2.3 / (home)',
		sentences: [
			{
				id: '2.3.1',
				says: '"Masukan nomor HP anda", a field with a clear button, keys 0-9, backspace and confirm',
				open: 'fewer than three characters are not looked up',
			},
			{ id: '2.3.2', says: '000000, confirmed with the key or with Enter, leads to `/daftar-transaksi`' },
			{
				id: '2.3.3',
				says: 'Any other value leads to `/payment-method`',
				open: 'a phone number with its country code is looked up as "08…"',
			},
			{ id: '2.3.4', says: 'Without the session cookie the screen goes to `/login`' },
			{ id: '2.3.5', says: 'In development mode the screen shows "Development"' },
		],
	},
	{
		title: '2.4 /daftar-transaksi',
		sentences: [
			{
				id: '2.4.1',
				says: '"Masukan PIN", password field and Submit; the list is locked until the PIN call succeeds',
				open: 'after three wrong PINs the daemon locks the PIN for half a minute, and longer after each later wrong PIN',
			},
			{ id: '2.4.2', says: 'A search box' },
			{ id: '2.4.3', says: 'Kembali leads home' },
			{ id: '2.4.4', says: 'Columns #, HP, NOPOL, Konsumen Name, Tanggal, IS Paid (Paid, UnPaid), Total, Action' },
			{ id: '2.4.5', says: 'The pager: ten page numbers, "<<" above page 6, ">>" to the last page; hidden for a single page' },
			{
				id: '2.4.6',
				says: 'Detail: Nama Konsumen, HP, Total, invoices and products (Qty, Harga), Cetak, Resend, Cancel',
			},
			{ id: '2.4.7', says: 'Resend is possible only when paid', open: 'section 6 says the same about printing' },
		],
	},
	{
		title: '2.5 /payment-method and the paid screen',
		sentences: [
			{
				id: '2.5.1',
				says: 'Buttons: Bayar Tunai, Bayar Non Tunai (then Kartu Debit BCA and either Virtual Account or QRIS), and always Kembali',
			},
			{ id: '2.5.2', says: 'If the invoice is unavailable, the screen shows an error text and Kembali' },
			{ id: '2.5.3', says: 'If the invoice is paid, the paid screen appears' },
			{
				id: '2.5.4',
				says: 'The customer can choose non-cash, cash, card, or cash in place of a virtual account',
				open: 'an open QRIS code or virtual account is cancelled first, so that an invoice is not paid twice',
			},
			{ id: '2.5.5', says: 'A cancel handler leads back or home', open: 'it asks for confirmation first' },
			{ id: '2.5.6', says: 'When the invoice is paid, a picture "Lunas" and the buttons Cetak and Kembali replace the payment screen' },
			{ id: '2.5.7', says: 'Cetak prints' },
		],
	},
	{
		title: '2.6 /cash-payment',
		sentences: [
			{ id: '2.6.1', says: 'The screen shows online or offline, and whether the machine is ready' },
			{ id: '2.6.2', says: 'A button "Reload Mesin", which shows "Waiting.." while it works' },
			{
				id: '2.6.3',
				says: 'Rows with number, "Terima N", time, Rp; Total diterima, Total Invoice; Kurang Bayar, else Lebih Bayar with the difference',
			},
			{
				id: '2.6.4',
				says: 'Instructions, the accepted notes, and a text that the cashier pays the change',
				open: 'only the notes of this machine’s map are shown',
			},
			{
				id: '2.6.5',
				says: 'Kembali leads home',
				open: 'if a note was taken, Kembali first asks the customer to confirm; the money stays with the invoice',
			},
			{ id: '2.6.6', says: 'Paid: the receipt view' },
		],
	},
	{
		title: '2.7 /non-cash-payment',
		sentences: [
			{ id: '2.7.1', says: 'Pilih Virtual Account: logo and name of each bank' },
			{ id: '2.7.2', says: 'A spinner while loading, Kembali' },
			{
				id: '2.7.3',
				says: '"Gunakan Mbanking anda, dan scan QR dibawah ini", the QR code; in development mode also its text',
			},
			{ id: '2.7.4', says: 'Pilih Metode Pembayaran Lain and Kembali' },
			{
				id: '2.7.5',
				says: 'Virtual account: total, Bayar Sebelum as DD-MM-YYYY HH:mm, bank, for Mandiri Kode Perusahaan, Nomor Virtual Account, Cara Pembayaran by Klik BCA and m-BCA, Internet Banking, iBank Personal and Mobile Banking',
				open: 'the steps are ours, in `ui/src/text/va-guides.ts`',
			},
			{ id: '2.7.6', says: 'Paid: the receipt view' },
		],
	},
	{
		title: '2.8 /edc-bca-payment',
		sentences: [
			{ id: '2.8.1', says: 'PETUNJUK PEMBAYARAN, five steps: yellow button; card; PIN, then green button; receipt; done' },
			{ id: '2.8.2', says: 'Paid: the receipt view' },
		],
	},
	{
		title: '2.9 Invoice panel',
		sentences: [
			{
				id: '2.9.1',
				says: 'Pelanggan, No Invoice, Total Invoice in Rp, Status (Sudah dibayar, Belum dibayar); blocks with number, order, total and lines "qty × price = subtotal"',
			},
		],
	},
	{
		title: '2.10 Receipt',
		sentences: [
			{
				id: '2.10.1',
				says: 'Tanggal, AHASS, Nomor, Nama, Status, Metode Pembayaran, NOPOL, lines, Untaxed Amount, Taxed, Total',
			},
			{
				id: '2.10.2',
				says: 'Watermark "Lunas"',
				open: 'page and PDF show it as a pale word across the receipt. An ESC/POS printer cannot print behind text, so it prints a large line LUNAS below the heading',
			},
			{
				id: '2.10.3',
				says: 'The specification does not say for which invoices a receipt is printed',
				open: 'only for an invoice that is paid according to journal or server; the page names the invoice and the daemon writes the receipt',
			},
			{ id: '2.10.4', says: 'Logo or default branding' },
			{ id: '2.10.5', says: '80 mm' },
			{
				id: '2.10.6',
				says: 'The print dialog opens after 1000 ms',
				open: 'with a receipt printer the kiosk prints the same text without a dialog; [architecture.md](architecture.md)',
			},
		],
	},
	{
		title: '2.11 Fallback',
		sentences: [{ id: '2.11.1', says: '"Unexpected Application Error!" with the error’s text' }],
	},
	{
		title: '3 Entities and their fields',
		sentences: [
			{ id: '3.1', says: 'Login, invoice with payments and blocks, list of transactions, banks: every field' },
			{ id: '3.2', says: 'Cookie fww_client with token and development' },
			{ id: '3.3', says: 'The age of the cookie, passed as 864e4', open: 'read as seconds, which gives 100 days' },
			{ id: '3.4', says: 'Session storage: inputHp, and customerDetail with every field' },
			{ id: '3.5', says: 'transaction_type hutang_lain is special', open: 'a separate call creates its virtual account' },
			{ id: '3.6', says: 'payment_type 1 means QRIS' },
			{ id: '3.7', says: 'json_data with expiry_time' },
			{ id: '3.8', says: 'Resend answer: success, message' },
			{ id: '3.9', says: 'Cash entry: nominal, time' },
			{ id: '3.10', says: 'Live message: an object `text` that holds the fields' },
			{
				id: '3.11',
				says: 'Shared list state: every field and default',
				open: 'the list of transactions uses it; the other lists have no screens',
			},
			{ id: '3.12', says: 'Shared alert: show, text, color (danger)' },
			{ id: '3.13', says: 'Shared modal: show, tipe, content (list), text, title, id, params' },
			{ id: '3.14', says: 'Loading flag' },
		],
	},
	{
		title: '4 States and transitions',
		sentences: [
			{ id: '4.1', says: 'After the look-up, an invoice with payments goes to `/cash-payment`' },
			{ id: '4.2', says: 'Otherwise an invoice with json_data goes to `/non-cash-payment`' },
			{ id: '4.3', says: 'Otherwise the choice of methods follows; the invoice is kept and shown' },
			{ id: '4.4', says: 'Without a stored number the screen goes home' },
			{ id: '4.5', says: 'Logged in means that the cookie is there' },
			{ id: '4.6', says: 'The list is locked until the PIN call succeeds' },
			{ id: '4.7', says: 'An alert disappears after 10 s; closing hides and clears it' },
			{ id: '4.8', says: 'Closing the modal resets type, content, text, title' },
			{ id: '4.9', says: 'Virtual account when total >= max_to_va, else QRIS' },
			{ id: '4.10', says: 'The states of a non-cash payment: standby, list_va, qris, va_selected, is_paid' },
			{ id: '4.11', says: 'list_va becomes va_selected when the account is created' },
			{
				id: '4.12',
				says: 'Any state becomes is_paid on a payment_notification for the same id',
				open: 'a payment_notification without `is_paid` counts as paid',
			},
			{
				id: '4.13',
				says: 'A paid invoice is printed after 2 s; the screen goes home after 6 s',
				open: 'the message about a failed print stays longer',
			},
			{
				id: '4.14',
				says: 'Cash: each notification for this invoice is an entry',
				open: 'the kiosk’s own journal counts the notes; [back-office.md](back-office.md), *A note reaches the server*',
			},
			{ id: '4.15', says: 'The machine is opened on entry and by Reload Mesin' },
			{
				id: '4.16',
				says: 'Card: when the socket opens, the screen sends one start_transaction with the amount',
				open: 'it sends this when the terminal is ready',
			},
			{ id: '4.17', says: 'Code 00 means paid, and the screen sends one transaction_approve' },
			{
				id: '4.18',
				says: 'Of three responses only the first is used',
				open: 'each response names its attempt; the first response of an attempt is used, and all later ones are ignored',
			},
			{
				id: '4.19',
				says: 'Not approved: an alert, another attempt after 7 s, "Silahkan coba lagi", three times; then "3x Percobaan gagal, harap hubungi customer service" and home after 5 s',
				open: 'after which codes: see 8.15 and 8.16',
			},
			{ id: '4.20', says: 'Code P3: a message, then home after 5 s' },
			{
				id: '4.21',
				says: 'The specification does not say what follows when the terminal never answers',
				open: 'the sale is neither paid nor failed; [architecture.md](architecture.md), *How a card payment flows*',
			},
			{ id: '4.22', says: 'Cash keeps customerDetail and opens `/cash-payment`' },
			{ id: '4.23', says: 'Card keeps customerDetail and inputHp and opens `/edc-bca-payment`' },
			{
				id: '4.24',
				says: 'VA and QRIS first create the payment, unless one is in use',
				open: 'a virtual account uses the same call first, then the bank’s call',
			},
			{ id: '4.25', says: 'Leaving the card screen removes customerDetail and goes home' },
			{ id: '4.26', says: 'Options of employee status and deposit expiry, "-- Tampilkan Semua --"' },
		],
	},
	{
		title: '5 Validation rules',
		sentences: [
			{
				id: '5.1',
				says: 'Username and password are required, on blur and on submit',
				open: '"Username wajib diisi", "Password wajib diisi"',
			},
			{ id: '5.2', says: 'An empty PIN is flagged on blur' },
			{ id: '5.3', says: 'The format of the number is not checked' },
			{
				id: '5.4',
				says: 'A QR that is a web address is shown as a picture, else drawn as 300x300',
				open: 'the picture comes through the daemon; [decisions.md](decisions.md), 20',
			},
			{ id: '5.5', says: 'While an account is loading, the choice of a bank is ignored' },
			{ id: '5.6', says: 'VA when total >= max_to_va' },
			{ id: '5.7', says: 'The specification names no other bounds', open: 'an amount is a whole number of rupiah' },
		],
	},
	{
		title: '6 Roles and permissions',
		sentences: [
			{ id: '6.1', says: 'The outlet logs in; its development flag switches the label "Development" on' },
			{ id: '6.2', says: 'The list needs a PIN as well' },
			{ id: '6.3', says: 'Customers have no login of their own' },
			{ id: '6.4', says: 'Resend and print are possible only for paid transactions' },
			{ id: '6.5', says: 'The token authorises calls' },
			{
				id: '6.6',
				says: 'The token authorises the live socket, too',
				open: 'the cookie’s token is a session of the page; the daemon replaces it with the outlet’s token',
			},
			{
				id: '6.7',
				says: 'The token is part of the card approval',
				open: 'the daemon inserts the token that is current when it sends; [back-office.md](back-office.md), *An approved card sale reaches the server*',
			},
			{
				id: '6.8',
				says: 'A 401 on the call for the list of banks leads to `/login`',
				open: 'a 401 on any call except the PIN leads there, too; [back-office.md](back-office.md), *Calls that the kiosk passes through*',
			},
		],
	},
	{
		title: '7 The calls it makes',
		sentences: [
			{
				id: '7.1',
				says: 'Method, path, form fields, Authorization, Accept and the CSRF header of every call',
				open: 'paths that the specification does not name are settings, [back-office.md](back-office.md); pin-screen is read as login-pin-screen; `bank` of create VA is its script_kode',
			},
			{ id: '7.2', says: 'The paths that the specification names are the defaults' },
			{ id: '7.3', says: 'The CSRF cookie and header, and a limit of 50 s' },
			{ id: '7.4', says: 'Endpoints that are defined but not called', open: 'the kiosk supports them; no screen calls `astra_pay`' },
			{ id: '7.5', says: 'Resend reads success and message' },
			{
				id: '7.6',
				says: 'The screen reads nothing from the answer to create payment',
				open: 'the answer is not logged either; the kiosk reads the result from the invoice',
			},
			{
				id: '7.7',
				says: 'Open-machine reads machine_ready and message',
				open: 'whether notes may be inserted is taken from machine_ready on the socket alone',
			},
			{ id: '7.8', says: 'Create VA reads result_record.no_va and company_code' },
			{ id: '7.9', says: 'Cancel returns home' },
			{ id: '7.10', says: 'The invoice is looked up when a payment screen loads and after it is paid' },
			{
				id: '7.11',
				says: 'Live socket: path with token, echo-protocol',
				open: 'all screens share one socket to the daemon; the daemon has a separate socket to the server',
			},
			{ id: '7.12', says: 'The screen sends ping' },
			{ id: '7.13', says: 'The screen sends transaction with the amount' },
			{ id: '7.14', says: 'The screen sends start_transaction and transaction_approve' },
			{
				id: '7.15',
				says: 'The screen receives payment_notification, payment_cash_notification, machine_ready, payment_edc_bca_notification',
			},
			{
				id: '7.16',
				says: 'When the socket closes, the screen shows offline and waits 2 s, in non-cash 5 s',
				open: 'the screen waits this long before it reconnects to the daemon; the daemon waits as long before it reconnects to the server. The daemon adds up to a quarter at random and waits up to 30 s after more failures',
			},
			{
				id: '7.17',
				says: 'The specification does not say how the server opens the machine',
				open: 'the kiosk opens it after asking the server; [back-office.md](back-office.md), *open-machine*',
			},
			{ id: '7.18', says: 'The fields that the kiosk reads in the answers to login, list, invoice and banks' },
		],
	},
	{
		title: '8 The error catalogue',
		sentences: [
			{ id: '8.1', says: 'A failed login shows, in red, the server’s message, else "Kami sedang mengalami gangguan"' },
			{ id: '8.2', says: 'The alert of 8.1 stays for 10 s' },
			{ id: '8.3', says: 'A failed PIN call shows the server’s message, else "Kami sedang alami gangguan"' },
			{ id: '8.4', says: 'List: the same texts as 8.3' },
			{
				id: '8.5',
				says: '"Resend berhasil!", "Gagal: {message}", "Terjadi kesalahan saat mencoba mengirim permintaan."',
			},
			{
				id: '8.6',
				says: 'The specification does not define the meaning of a 2xx answer that holds only a message',
				open: 'the kiosk treats it as a refusal with that message',
			},
			{ id: '8.7', says: 'A failed look-up on the method screen shows the server’s message; the invoice is unavailable' },
			{
				id: '8.8',
				says: 'On the other payment screens a failed look-up is silent',
				open: 'if no earlier answer is known, the kiosk goes home',
			},
			{ id: '8.9', says: 'Payment screens: the server’s message, else "Kami sedang mengalami gangguan", in the colour danger' },
			{ id: '8.10', says: '"Error reload bill acceptor"; with status 400 the server’s message' },
			{ id: '8.11', says: 'Bank list: "Unable to fetch Data"' },
			{ id: '8.12', says: 'Bank list: 401 leads to `/login`' },
			{ id: '8.13', says: '"Unexpected Application Error!"' },
			{ id: '8.14', says: 'EDC code 00: success' },
			{
				id: '8.15',
				says: 'EDC codes with a retry: S2, S4, CE, TO, 54, 55, P2, Z3, aa, S3',
				open: 'the daemon decides by `[edc] retry_codes`, whose default is this list. aa stands for every code outside the catalogue, such as a bank’s own codes',
			},
			{
				id: '8.16',
				says: 'EDC codes without a retry: PT, TN, P3; any other code: "Kode respons tidak dikenal"',
				open: 'PS (settlement failed) is not retried either. The daemon retries a code outside the catalogue like aa; without the daemon’s decision the screen goes home',
			},
			{
				id: '8.17',
				says: 'The messages of the EDC codes',
				open: 'messages that the specification only describes have our wording, which says what happened and what to do',
			},
			{ id: '8.18', says: 'Every wording, letter for letter' },
		],
	},
	{
		title: '9 Business constants and limits',
		sentences: [
			{ id: '9.1', says: 'Page size 10' },
			{ id: '9.2', says: 'Window of 10 page numbers' },
			{ id: '9.3', says: 'Default page 1, company 1, ascending' },
			{
				id: '9.4',
				says: 'An alert stays 10000 ms on login and list; on payment screens a setting decides',
				open: '`[screen] alert_ms`, also 10 s',
			},
			{ id: '9.5', says: 'A call may take 50000 ms; the notes are 100000 to 1000' },
			{ id: '9.6', says: 'The number 000000 of 2.3.2' },
			{ id: '9.7', says: 'VAT 11 %, untaxed = total x 100/111', open: 'rounded to the rupiah so that both parts add up' },
			{ id: '9.8', says: 'The print dialog opens after 1000 ms' },
			{ id: '9.9', says: 'The socket reconnects after 2 s or 5 s', open: 'see 7.16' },
			{ id: '9.10', says: 'The screen prints after 2 s and goes home after 6 s' },
			{ id: '9.11', says: 'A declined card: a retry after 7 s, three times, then home after 5 s' },
			{ id: '9.12', says: 'Amounts have Rp, dots for thousands and no decimals' },
			{ id: '9.13', says: 'Receipt 80 mm' },
			{ id: '9.14', says: 'QR 300x300, shown at 630x630' },
			{ id: '9.15', says: 'Banks bca, mandiri, bni', open: 'any other bank has general steps' },
			{ id: '9.16', says: 'One promo film, looped and muted' },
			{ id: '9.17', says: 'Age of the cookie 864e4' },
		],
	},
];
