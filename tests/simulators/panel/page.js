/**
 * The page of the control panel. It polls GET /state twice a second, and its buttons send the
 * panel's calls.
 */
const REFRESH_MS = 500;
const TOAST_MS = 3_500;
const SHOWN_NOTES = 30;

const CARD_ANSWERS = [
	['00', 'Approved'],
	['51', 'No funds'],
	['55', 'Wrong PIN'],
	['54', 'Card expired'],
	['P2', 'Card unreadable'],
	['P3', 'Cancelled'],
	['Z3', 'EMV refused'],
	['PT', 'Terminal problem'],
	['CE', 'Line busy'],
	['TO', 'Time-out'],
	['S2', 'Repeat on EDC'],
];
const MODES = [
	['normal', 'Works'],
	['silent', 'Silent'],
	['silent_after_ack', 'Silent after ACK'],
	['no_ack', 'No ACK'],
	['nak', 'One NAK'],
	['bad_lrc', 'Bad LRC once'],
	['slow', 'Byte by byte'],
	['double', 'Answer twice'],
	['late', 'Answer 130 s late'],
	['wrong_amount', 'Wrong amount'],
	['wrong_type', 'Wrong type'],
	['split', 'In pieces'],
	['joined', 'ACK joined'],
	['noise', 'Noise'],
	['stale', 'Old answer first'],
];
const NETWORK_MODES = [
	['normal', 'Works'],
	['slow', 'Slow: 5 s'],
	['error', 'Error 500'],
	['garbage', 'Broken JSON'],
	['silent', 'No answer'],
	['lost_answer', 'Answer lost'],
];

const id = (name) => document.getElementById(name);
const rupiah = (amount) => `Rp ${String(amount).replace(/\B(?=(\d{3})+$)/g, '.')}`;
const time = (iso) => new Date(iso).toLocaleTimeString('en-GB');
const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

function make(tag, properties = {}, ...children) {
	const element = Object.assign(document.createElement(tag), properties);
	element.append(...children);
	return element;
}

/** Rebuilds a list only if its content has changed, to keep scroll position and focus. */
function fill(target, data, build) {
	const key = JSON.stringify(data);
	if (target.dataset.key === key) return;
	target.dataset.key = key;
	target.replaceChildren(...data.map(build));
}

function setText(name, text) {
	if (id(name).textContent !== text) id(name).textContent = text;
}

let toastTimer = 0;
function toast(text, bad = false) {
	id('toast').textContent = text;
	id('toast').className = bad ? 'shown bad' : 'shown';
	clearTimeout(toastTimer);
	toastTimer = setTimeout(() => {
		id('toast').className = '';
	}, TOAST_MS);
}

async function post(path, body = {}) {
	try {
		const response = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
		const answer = await response.json();
		if (!response.ok) toast(answer.message, true);
		else if (answer.taken === false) toast(`The machine pushes the note back: ${answer.reason}`, true);
		else if (answer.tapped === false) toast('The terminal waits for no card. Decide the next sale beforehand instead.', true);
		await refresh();
	} catch {
		toast('The panel does not answer. Is "make run" still running?', true);
	}
}

function noteButton(nominal) {
	const button = make(
		'button',
		{ type: 'button', className: `note n${nominal}` },
		make('small', { textContent: 'Rupiah' }),
		rupiah(nominal).slice(3),
	);
	button.addEventListener('click', () => post('/acceptor/insert', { nominal }));
	return button;
}

function unreadableButton() {
	const button = make('button', { type: 'button', className: 'note n0' }, make('small', { textContent: '29' }), 'Unreadable');
	button.addEventListener('click', () => post('/acceptor/insert', { unreadable: true }));
	return button;
}

function choiceButton([value, label], onChoose) {
	const button = make('button', { type: 'button', textContent: label });
	button.dataset.value = value;
	button.addEventListener('click', () => onChoose(value));
	return button;
}

function press(container, value) {
	for (const button of container.querySelectorAll('button'))
		button.setAttribute('aria-pressed', String(button.dataset.value === value && value !== 'normal'));
}

function wireButtons() {
	for (const button of document.querySelectorAll('[data-fault]')) {
		const { fault, note, hex } = button.dataset;
		button.addEventListener('click', () => post('/acceptor/fault', { code: fault, ...(note && { note }), ...(hex && { hex }) }));
	}
	for (const button of document.querySelectorAll('[data-post]:not([data-toggle])')) {
		button.addEventListener('click', () => post(button.dataset.post, JSON.parse(button.dataset.body ?? '{}')));
	}
	for (const button of document.querySelectorAll('[data-toggle]')) {
		button.addEventListener('click', () => {
			const on = button.getAttribute('aria-pressed') !== 'true';
			post(button.dataset.post ?? '/printer/fault', { [button.dataset.flag ?? button.dataset.toggle]: on });
		});
	}
	id('edc-taps').append(
		...CARD_ANSWERS.map((answer) => choiceButton([answer[0], `${answer[1]} ${answer[0]}`], (respCode) => post('/edc/tap', { respCode }))),
		choiceButton(['TO', 'Time-out TO, but money moved'], (respCode) => post('/edc/tap', { respCode, captured: true })),
	);
	id('edc-next').append(
		...CARD_ANSWERS.slice(0, 6).map((answer) => choiceButton(answer, (respCode) => post('/edc/next', { respCode }))),
		choiceButton(['', 'Forget'], () => post('/edc/fault', { code: 'forget_next' })),
	);
	id('edc-modes').append(...MODES.map((mode) => choiceButton(mode, (value) => post('/edc/mode', { mode: value }))));
	id('network-modes').append(
		...NETWORK_MODES.map((mode) =>
			choiceButton(mode, (value) => post('/back-office/network', { mode: value, path: id('network-path').value.trim() })),
		),
	);
	id('network-switch').addEventListener('click', () => post('/back-office/network', { up: id('network-switch').dataset.up !== 'true' }));
	id('new-invoice').addEventListener('submit', (event) => {
		event.preventDefault();
		const form = new FormData(event.target);
		const total = Number(String(form.get('total')).replaceAll('.', ''));
		post('/back-office/invoice', { hp: form.get('hp'), ...(total > 0 && { total }) });
	});
}

function acceptorView(acceptor) {
	if (acceptor.power === 'off') return ['No power', 'bad'];
	if (acceptor.fault !== null) return [`Fault: ${acceptor.fault}`, 'bad'];
	if (acceptor.cashboxOut) return ['Cashbox is out', 'bad'];
	if (acceptor.power !== 'running') return ['Waiting for the host', 'warn'];
	const { note } = acceptor;
	if (note !== null)
		return [`${note.nominal > 0 ? rupiah(note.nominal) : 'Unreadable paper'} – ${note.place}${note.held ? ', held' : ''}`, 'good'];
	return acceptor.enabled ? ['Takes notes', 'good'] : ['Inhibited by the host', 'warn'];
}

function lineView(acceptor) {
	const faults = [
		acceptor.line.cut && 'cable pulled',
		acceptor.line.mute && 'transmitter dead',
		acceptor.line.parity !== 'right' && `8N1, bytes with even parity ${acceptor.line.parity === 'drops' ? 'are lost' : 'become 3F'}`,
		acceptor.line.gapMs > 0 && `bytes ${acceptor.line.gapMs} ms apart`,
		acceptor.nextMishaps.length > 0 && `next note: ${acceptor.nextMishaps.join(', ')}`,
		!acceptor.connected && 'no host is connected',
	].filter(Boolean);
	return faults.join(' · ');
}

function showAcceptor(acceptor) {
	const [text, tone] = acceptorView(acceptor);
	setText('acceptor-text', text);
	setText('acceptor-sub', lineView(acceptor));
	id('machine').className = `machine ${tone}`;
	document.querySelector('.slot').dataset.place = acceptor.note?.place ?? 'empty';
	if (acceptor.note !== null) {
		id('paper').className = `paper note n${acceptor.note.nominal}`;
		setText('paper', rupiah(acceptor.note.nominal).slice(3));
	}
	fill(id('notes'), [...Object.values(acceptor.notes), 0], (nominal) => (nominal === 0 ? unreadableButton() : noteButton(nominal)));
	for (const button of document.querySelectorAll('[data-fault]')) {
		const { fault } = button.dataset;
		const lasting = fault === acceptor.fault || (fault === 'cashbox_removed' && acceptor.cashboxOut);
		const cable =
			(fault === 'silent' && acceptor.line.cut) ||
			(fault === 'mute' && acceptor.line.mute) ||
			(fault === 'split' && acceptor.line.gapMs > 0);
		const parity =
			(fault === 'parity_drops' && acceptor.line.parity === 'drops') ||
			(fault === 'parity_replaces' && acceptor.line.parity === 'replaces');
		button.setAttribute('aria-pressed', String(lasting || cable || parity || acceptor.nextMishaps.includes(fault)));
	}
	fill(id('trace'), acceptor.trace.toReversed(), ({ at, from, bytes }) =>
		make('li', { className: from, textContent: `${time(at)}  ${from.padEnd(6)}  ${bytes}` }),
	);
}

function showBooks({ books, acceptor, backOffice }) {
	setText('cashbox-sum', rupiah(books.cashbox.total));
	setText('cashbox-count', `${plural(books.cashbox.count, 'note')}${acceptor.collected > 0 ? `, ${acceptor.collected} collected` : ''}`);
	setText('server-sum', rupiah(books.server.total));
	setText('server-count', `${plural(books.server.count, 'note')}, ${plural(books.repeats, 'repeat')} ignored`);
	const equal = books.difference === 0;
	setText(
		'verdict',
		equal ? '= equal' : books.difference > 0 ? `${rupiah(books.difference)} not reported yet` : `${rupiah(-books.difference)} too much!`,
	);
	id('verdict').className = equal ? 'verdict' : 'verdict bad';
	fill(id('cashbox-notes'), acceptor.stacked.slice(-SHOWN_NOTES).toReversed(), (note) => entry(rupiah(note.nominal), time(note.at)));
	fill(id('server-notes'), backOffice.notes.slice(-SHOWN_NOTES).toReversed(), (note) =>
		entry(rupiah(note.nominal), `${note.assigned ? note.noinvoice : 'no such invoice'}${note.repeats > 0 ? ` ×${note.repeats + 1}` : ''}`),
	);
	const last = acceptor.returned.at(-1);
	const removed = acceptor.removed.length > 0 ? `, ${plural(acceptor.removed.length, 'note')} taken out by staff` : '';
	setText(
		'given-back',
		`${plural(acceptor.returned.length, 'note')} given back${last ? `, the last because: ${last.reason}` : ''}${removed}`,
	);
}

const entry = (left, right) => make('li', {}, make('span', { textContent: left }), make('span', { textContent: right }));

function showPrinter(printer) {
	const server = printer.up ? (printer.mode === 'normal' ? '' : `, server: ${printer.mode}`) : ', server stopped';
	setText(
		'printer-text',
		`${printer.state}${printer.reasons.length > 0 ? `: ${printer.reasons.join(', ')}` : ''}${server} · ${printer.printed} printed, ${printer.waiting} waiting`,
	);
	for (const button of document.querySelectorAll('[data-toggle]'))
		button.setAttribute('aria-pressed', String(printer.faults[button.dataset.toggle]));
}

let shownReceipts = -1;
async function showReceipts(printed) {
	if (printed === shownReceipts) return;
	const receipts = await (await fetch('/printer/receipts')).json();
	shownReceipts = receipts.length;
	fill(id('receipts'), receipts.toReversed(), ({ name, at, text, jobId }) =>
		make(
			'article',
			{ className: 'receipt', role: 'listitem' },
			make('h4', { textContent: `Job ${jobId} · ${name} · ${time(at)}` }),
			make('pre', { textContent: text }),
		),
	);
}

function showEdc(edc) {
	const { waiting } = edc;
	const [text, tone] = !edc.powered
		? ['No power', 'bad']
		: waiting
			? [`${rupiah(waiting.amount)} – insert or swipe the card`, 'good']
			: ['Idle', ''];
	setText('edc-text', text);
	const mode = MODES.find(([value]) => value === edc.mode)?.[1];
	const next = edc.next.length > 0 ? `next: ${edc.next.map(({ respCode }) => respCode).join(', ')}` : '';
	setText(
		'edc-sub',
		[edc.cable.cut && 'cable pulled', edc.mode !== 'normal' && mode, next, !edc.connected && 'no host is connected']
			.filter(Boolean)
			.join(' · '),
	);
	id('terminal').className = `terminal ${tone}`;
	press(id('edc-modes'), edc.mode);
	setText('edc-captured', rupiah(edc.captured));
	fill(id('edc-transactions'), edc.transactions.toReversed(), (sale) =>
		entry(
			rupiah(sale.amount),
			`invoice ${sale.invoice}, ${time(sale.at)}${sale.voided ? ', voided' : ''}${sale.settled ? ', settled' : ''}`,
		),
	);
}

function showOffice({ network, invoices, calls, sockets, account }) {
	id('network-switch').dataset.up = String(network.up);
	setText('network-switch', network.up ? 'Cut the network' : 'Connect the network again');
	id('network-switch').className = network.up ? 'danger' : 'good';
	press(id('network-modes'), network.mode);
	const login = `user ${account.username}, password ${account.password}, PIN ${account.pin}`;
	setText('office-text', `${plural(sockets, 'live socket')} · log in with ${login}`);
	fill(id('invoices'), inOrder(invoices), invoiceRow);
	fill(id('calls'), calls.toReversed(), ({ at, method, path, status }) =>
		make('li', {
			className: status >= 400 || status === 0 ? 'failed' : '',
			textContent: `${time(at)}  ${status || '---'}  ${method.padEnd(4)} ${path}`,
		}),
	);
}

/**
 * Order: invoices added by hand, newest first; seeded invoices; those with a newer one for the same
 * phone number.
 */
function inOrder(invoices) {
	const rank = (invoice) => (invoice.current ? 0 : 1_000_000) + (invoice.shows === 'added by hand' ? -invoice.id : invoice.id);
	return invoices.toSorted((a, b) => rank(a) - rank(b));
}

function invoiceRow(invoice) {
	const state = invoice.is_paid ? `paid, ${invoice.payment_type_display}` : invoice.open || 'unpaid';
	const badge = make('span', { className: `badge ${invoice.is_paid ? 'paid' : invoice.open ? 'open' : ''}`, textContent: state });
	const pay = make('button', { type: 'button', textContent: invoice.is_paid ? 'Say paid again' : 'Pay QR / VA' });
	const method = invoice.open.startsWith('VA') ? 'va' : 'qris';
	pay.addEventListener('click', () =>
		invoice.is_paid ? post('/back-office/tell-paid', { id: invoice.id }) : post('/back-office/pay', { id: invoice.id, method }),
	);
	const again = make('button', { type: 'button', textContent: 'New one' });
	again.addEventListener('click', () => post('/back-office/invoice', { hp: invoice.hp }));
	const cell = (content, className = '') => make('td', { className }, content);
	return make(
		'tr',
		{ className: invoice.current ? '' : 'old' },
		cell(invoice.hp),
		cell(invoice.konsumen_name),
		cell(invoice.noinvoice),
		cell(rupiah(invoice.total), 'number'),
		cell(rupiah(invoice.received), 'number'),
		cell(badge),
		cell(invoice.shows),
		cell(make('div', { className: 'buttons' }, pay, invoice.current ? again : '')),
	);
}

function showChips(state) {
	const [acceptorText, acceptorTone] = acceptorView(state.acceptor);
	const { network } = state.backOffice;
	const chips = [
		state.daemon && [
			`Daemon ${state.daemon.running ? `pid ${state.daemon.pid}` : 'not running'}, start ${state.daemon.starts}`,
			state.daemon.running ? 'good' : 'bad',
		],
		[
			network.up ? `Back office${network.mode === 'normal' ? '' : `: ${network.mode}`}` : 'Network cut',
			network.up ? (network.mode === 'normal' ? 'good' : 'warn') : 'bad',
		],
		[`Acceptor: ${acceptorText}`, acceptorTone],
		[
			`Terminal: ${state.edc.powered ? state.edc.mode : 'no power'}`,
			state.edc.powered ? (state.edc.mode === 'normal' ? 'good' : 'warn') : 'bad',
		],
		[`Printer: ${state.printer.reasons[0] ?? state.printer.state}`, state.printer.reasons.length > 0 || !state.printer.up ? 'bad' : 'good'],
	].filter(Boolean);
	fill(id('chips'), chips, ([text, tone]) => make('li', { className: `chip ${tone}`, textContent: text }));
}

async function refresh() {
	const state = await (await fetch('/state')).json();
	id('screen-link').href = state.screenUrl;
	showChips(state);
	showAcceptor(state.acceptor);
	showBooks(state);
	showPrinter(state.printer);
	showEdc(state.edc);
	showOffice(state.backOffice);
	await showReceipts(state.printer.printed);
}

async function keepFresh() {
	try {
		if (!document.hidden) await refresh();
	} catch {
		toast('The panel does not answer. Is "make run" still running?', true);
	}
	setTimeout(keepFresh, REFRESH_MS);
}

wireButtons();
keepFresh();
