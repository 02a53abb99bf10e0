import type { BoxState } from '@kiosk/contract/box-count';
import type { StaffHome } from '@kiosk/contract/staff-home';
import type { StaffNames } from '@kiosk/contract/staff-names';
/** Test data: a daemon with given answers, its settings and an invoice. */

import { InvoiceInfo } from '@kiosk/contract/back-office';
import { rupiah } from '@kiosk/contract/money';
import * as v from 'valibot';
import type { Api, ApiResult } from './api.ts';

const paths = {
	login: '/auth/login-outlet/',
	pin: '/payment/api/v1/login-pin-screen/',
	payment_group: '/payment/api/v1/payment-group/',
	resend_callback: '/payment/api/v1/resend-callback/{id}',
	invoice_info: '/payment/api/v1/get-invoice-info/',
	payment: '/payment/api/v1/payment/',
	open_machine: '/payment/api/v1/open-machine/',
	master_va: '/payment/api/v1/master-va/',
	create_va: '/payment/api/v1/create-va-kiosbank/',
	create_va_hutang_lain: '/payment/api/v1/create-va-xendit/',
	cancel_payment: '/payment/api/v1/cancel-payment/',
	video: '/payment/api/v1/video/',
	astra_pay: '/payment/api/v1/payment-astra-pay/',
	cash_notification: '/payment/api/v1/payment-cash/',
	anchor: '',
};

export const settings = {
	site_name: 'Bengkel Uji',
	staff_phone: '',
	timezone: 'Asia/Jakarta',
	panel_diagonal_inch: 21.5,
	places: { slot: null, terminal: null, tray: null },
	alert_ms: 10_000,
	idle_ms: 60_000,
	idle_question_ms: 20_000,
	api_timeout_ms: 50_000,
	csrf_cookie: 'csrftoken',
	csrf_header: 'X-CSRFToken',
	paths,
	notes: [50_000, 100_000].map(rupiah),
	print: 'printer' as const,
	edc: false,
	edc_qris_ms: null,
	abandoned_ms: 300_000,
	voice: false,
	sound: false,
	mask_names: false,
	clock_in_doubt: false,
	setup_problems: [],
	unconfirmed: [],
	held_money: null,
	promo_video: null,
};

/** @param results fields that differ from an unpaid invoice of Rp 137.500 with id 42 */
export const invoiceInfo = (results: Record<string, unknown> = {}): InvoiceInfo =>
	v.parse(InvoiceInfo, {
		results: { id: 42, noinvoice: 'INV/42', konsumen_name: 'Budi', nopol: 'B 1 X', total: 137_500, is_paid: false, ...results },
		ahass_name: 'AHASS 01234',
	});

export const answered = <T>(value: T): ApiResult<T> => ({ ok: true, value });

const outletNames: StaffNames = {
	people: [
		{ name: 'Budi', role: 'cashier', code: 'none' },
		{ name: 'Sari', role: 'supervisor', code: 'none' },
	],
	needs_codes: false,
	needs_supervisor: true,
	lost: null,
};

/** The staff home of a kiosk without open cases. */
export const calmHome: StaffHome = {
	version: '0.1.0',
	call: null,
	today: { paid: 3, notes: 7, card: { count: 2, total: rupiah(275_000) }, qris: { count: 0, total: rupiah(0) } },
	cases: {},
	parts: [
		{ part: 'cash', state: 'ok' },
		{ part: 'printer', state: 'warn' },
	],
};

/** A cashbox that is not counted yet. */
export const uncountedBox: BoxState = {
	nominals: [rupiah(100_000), rupiah(50_000)],
	removed: null,
	since: null,
	renewed: null,
	result: null,
};

/**
 * @returns a daemon with default answers, of which `answers` replaces some, and the names of the
 * calls made
 */
export function fakeApi(answers: Partial<Api> = {}): { api: Api; calls: string[] } {
	const calls: string[] = [];
	const calm: Api = {
		settings: async () => answered(settings),
		checkSettings: async () => answered(settings),
		login: async () => answered({ token: 't', development: false }),
		logout: async () => answered({}),
		leave: async () => answered({}),
		staff: async () => answered({ open: false, wait_ms: 0 }),
		staffTouch: async () => answered({}),
		staffHome: async () => answered(calmHome),
		staffNames: async () => answered(outletNames),
		changeStaffNames: async () => answered(outletNames),
		proveStaffName: async () => answered({}),
		staffCases: async () => answered({ cases: [], two_names_above: rupiah(500_000), nominals: [rupiah(50_000)] }),
		decideCase: async () => answered({ cases: [], two_names_above: rupiah(500_000), nominals: [rupiah(50_000)] }),
		checkSlip: async () => answered({ verdict: 'mistyped', kiosk: '', paper: null, earlier: null }),
		rehearsals: async () => answered({ running: null, ended: null, list: [] }),
		rehearse: async () => answered({ running: null, ended: null, list: [] }),
		boxState: async () => answered(uncountedBox),
		countBox: async () => answered(uncountedBox),
		saveBox: async () => answered({ period: 1, prints: true }),
		staffLeave: async () => answered({}),
		confirmSettings: async (settings) => answered({ confirmed: [...settings] }),
		invoiceInfo: async () => answered(invoiceInfo()),
		openMachine: async () => answered({ machine_ready: true, message: 'Ready', entries: [], is_paid: false }),
		closeCash: async () => answered({ entries: [], received: rupiah(0), is_paid: false, in_doubt: rupiah(0) }),
		pin: async () => answered({ opens: true, message: '' }),
		transactions: async () => answered({ results: [], count: 0 }),
		resendCallback: async () => answered({ success: true, message: '' }),
		createPayment: async () => answered({}),
		vaBanks: async () => answered({ results: [] }),
		createVa: async () => answered({ result_record: { no_va: '3910700000000042', company_code: '' } }),
		cancelPayment: async () => answered({}),
		astraPay: async () => answered({}),
		video: async () => answered(''),
		print: async () => answered({ print_id: 'p1', copy: false }),
		callStaff: async () => answered({ since: '2026-11-24T14:05:00+07:00' }),
		rendered: async () => answered({}),
		visit: async () => answered({ visit: null }),
	};
	const api = new Proxy(
		{ ...calm, ...answers },
		{
			get(target, name: keyof Api) {
				return (...given: never[]) => {
					calls.push(name);
					return (target[name] as (...given: never[]) => unknown)(...given);
				};
			},
		},
	);
	return { api, calls };
}
