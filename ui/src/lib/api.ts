import {
	CreatedVa,
	ErrorAnswer,
	type Id,
	InvoiceInfo,
	LoginAnswer,
	PaymentAnswer,
	PinAnswer,
	PromoVideo,
	ResendAnswer,
	TransactionPage,
	type VaBank,
	VaBanks,
} from '@kiosk/contract/back-office';
import { type BoxCountRequest, BoxSaved, type BoxSaveRequest, BoxState } from '@kiosk/contract/box-count';
import type { CallingScreen } from '@kiosk/contract/calling-screens';
import {
	CashCloseAnswer,
	ConfirmedSettings,
	OpenMachineAnswer,
	PrintAnswer,
	type PrintRequest,
	ScreenSettings,
	StaffState,
	type Visit,
} from '@kiosk/contract/kiosk-api';
import type { RehearsalLook, RehearsalWish } from '@kiosk/contract/rehearsal';
import { shortenDetail } from '@kiosk/contract/shorten-detail';
import type { SlipVerdict } from '@kiosk/contract/slip-check';
import { StaffCallAnswer } from '@kiosk/contract/staff-call';
import { StaffCases, type StaffDecision } from '@kiosk/contract/staff-cases';
import { StaffHome } from '@kiosk/contract/staff-home';
import { type StaffNameRequest, StaffNames, type StaffProof } from '@kiosk/contract/staff-names';
import axios, { type AxiosInstance, type AxiosRequestConfig } from 'axios';
import * as v from 'valibot';
import type { CustomerDetail } from './customer-detail.ts';
import { reportFault } from './report.ts';

/**
 * `status` is null if no answer came. `message` is the server's text for the user, if there is one.
 * `code` is the daemon's code of a refusal. `retryAfterMs`: the call may be repeated after this
 * time.
 */
export type ApiFailure = { ok: false; status: number | null; message: string | null; code?: string; retryAfterMs?: number };
export type ApiResult<T> = { ok: true; value: T } | ApiFailure;

export type ApiContext = {
	settings: () => ScreenSettings | null;
	token: () => string | null;
	/** Called when the session of the page or of the outlet has ended. */
	unauthorized: () => void;
	/** Called when the daemon has ended this page's staff mode. */
	staffEnded: () => void;
};

/** The two calls that the page makes before the client is loaded; see first-calls.ts. */
export type FirstCalls = { settings: () => Promise<ApiResult<ScreenSettings>>; visit: () => Promise<ApiResult<Visit>> };
export type Client = ReturnType<typeof createApi>;
export type Api = FirstCalls & Client;

/** The daemon's refusal of a staff-only call. */
const StaffOnly = v.object({ code: v.literal('staff_only') });

/** Time limit of a call as long as the settings, which contain the usual limit, are not known. */
const BOOT_TIMEOUT_MS = 5_000;

/** The back office reads a call's data as JSON from one multipart field, `formData`. */
const formDataOf = (payload: unknown): FormData => {
	const form = new FormData();
	form.append('formData', JSON.stringify(payload));
	return form;
};

/** @returns the server's text for the user, or null */
function messageIn(data: unknown): string | null {
	const answer = v.safeParse(ErrorAnswer, data);
	return answer.success ? (answer.output.message ?? answer.output.detail ?? null) : null;
}

/** The daemon's own refusal. */
const Refusal = v.looseObject({ code: v.string() });

function failureOf(error: unknown): ApiFailure {
	if (!axios.isAxiosError(error) || error.response === undefined) return { ok: false, status: null, message: null };
	const { status, data, headers } = error.response;
	const refusal = v.safeParse(Refusal, data);
	const retryAfterS = Number.parseInt(String(headers['retry-after']), 10);
	return {
		ok: false,
		status,
		message: messageIn(data),
		...(refusal.success && { code: refusal.output.code }),
		...(retryAfterS > 0 && { retryAfterMs: retryAfterS * 1_000 }),
	};
}

/**
 * @returns the path of each invalid field, and the problem. The value is left out, because it may
 * be personal.
 */
const describeIssues = (issues: readonly v.BaseIssue<unknown>[]): string =>
	issues.map((issue) => `${v.getDotPath(issue) ?? '(answer)'}: expected ${issue.expected ?? 'another value'}`).join('; ');

function valueIn<T>(schema: v.GenericSchema<unknown, T>, data: unknown, status: number, path: string | undefined): ApiResult<T> {
	const parsed = v.safeParse(schema, data);
	if (parsed.success) return { ok: true, value: parsed.output };
	// Some servers refuse a call with status 200 and a message. An invalid answer without a message
	// is a fault.
	const message = messageIn(data);
	if (message === null) reportFault('answer does not fit', `${path}: ${describeIssues(parsed.issues)}`);
	return { ok: false, status, message };
}

async function call<T>(http: AxiosInstance, schema: v.GenericSchema<unknown, T>, request: AxiosRequestConfig): Promise<ApiResult<T>> {
	try {
		const answer = await http.request<unknown>(request);
		return valueIn(schema, answer.data, answer.status, request.url);
	} catch (error) {
		return failureOf(error);
	}
}

/**
 * @returns the screen's calls to the daemon except the two in `FirstCalls`. As soon as the settings
 * are known, no call throws.
 */
export function createApi(context: ApiContext) {
	const http = axios.create({ headers: { Accept: 'application/json' }, withXSRFToken: true });

	http.interceptors.request.use((request) => {
		const settings = context.settings();
		request.timeout = settings?.api_timeout_ms ?? BOOT_TIMEOUT_MS;
		if (settings !== null) {
			request.xsrfCookieName = settings.csrf_cookie;
			request.xsrfHeaderName = settings.csrf_header;
		}
		const token = context.token();
		if (token !== null) request.headers.set('Authorization', `Token ${token}`);
		return request;
	});
	http.interceptors.response.use(undefined, (error: unknown) => {
		// A wrong PIN is the user's mistake and does not end the outlet's session.
		const outlet = axios.isAxiosError(error) && error.config?.url !== context.settings()?.paths.pin;
		// A late answer to a call from before the log-in does not concern the new session.
		const token = context.token();
		const isOfNow =
			axios.isAxiosError(error) && error.config?.headers.get('Authorization') === (token === null ? undefined : `Token ${token}`);
		if (outlet && isOfNow && error.response?.status === 401) context.unauthorized();
		if (axios.isAxiosError(error) && v.is(StaffOnly, error.response?.data)) context.staffEnded();
		return Promise.reject(error);
	});

	const paths = () => {
		const settings = context.settings();
		if (settings === null) throw new Error('a call before the settings are known');
		return settings.paths;
	};
	const post = <T>(url: string, schema: v.GenericSchema<unknown, T>, data: unknown, signal?: AbortSignal) =>
		call(http, schema, { method: 'POST', url, data, ...(signal && { signal }) });

	const get = <T>(url: string, schema: v.GenericSchema<unknown, T>, params: object, signal?: AbortSignal) =>
		call(http, schema, { url, params, ...(signal && { signal }) });

	return {
		/**
		 * Checks the settings against the schema; the first screen already uses them.
		 * @returns a failure with status 200 if they are invalid
		 */
		checkSettings: async (settings: unknown): Promise<ApiResult<ScreenSettings>> =>
			valueIn(ScreenSettings, settings, 200, '/kiosk/settings'),
		login: (credentials: { username: string; password: string }) => post(paths().login, LoginAnswer, formDataOf(credentials)),
		/** Logs the outlet out. Only staff may do this. */
		logout: () => post('/kiosk/logout', v.unknown(), {}),
		/** Ends the session of this page only. */
		leave: () => post('/kiosk/leave', v.unknown(), {}),
		/**
		 * Sends the PIN. If it is right, the daemon starts staff mode for this page.
		 * @returns whether the PIN opens the staff screens
		 */
		pin: (pin: string) => post(paths().pin, PinAnswer, formDataOf({ pin })),
		/** @returns whether this page is in staff mode, and for how long the daemon accepts no PIN */
		staff: () => call(http, StaffState, { url: '/kiosk/staff' }),
		/** Reports a touch on an open staff screen. */
		staffTouch: () => post('/kiosk/staff/touch', v.unknown(), {}),
		/** @param settings names of the changed settings that staff have read */
		confirmSettings: (settings: readonly string[]) => post('/kiosk/staff/confirm-settings', ConfirmedSettings, { settings }),
		/** @returns today's figures, open cases and the state of the kiosk's parts; only for staff */
		staffHome: (signal?: AbortSignal) => get('/kiosk/staff/home', StaffHome, {}, signal),
		staffNames: (signal?: AbortSignal) => get('/kiosk/staff/names', StaffNames, {}, signal),
		changeStaffNames: (wish: StaffNameRequest) => post('/kiosk/staff/names', StaffNames, wish),
		proveStaffName: (proof: StaffProof) => post('/kiosk/staff/proof', v.unknown(), proof),
		staffCases: (signal?: AbortSignal) => get('/kiosk/staff/cases', StaffCases, {}, signal),
		decideCase: (decision: StaffDecision) => post('/kiosk/staff/cases', StaffCases, decision),
		/**
		 * @param schema the schema of the answer. It is a parameter, so that the page's first load does
		 * not contain it.
		 */
		checkSlip: (code: string, schema: typeof SlipVerdict) => post('/kiosk/staff/slip', schema, { code }),
		/** @param schema as for `checkSlip` */
		rehearsals: (schema: typeof RehearsalLook, signal?: AbortSignal) => get('/kiosk/staff/rehearsal', schema, {}, signal),
		rehearse: (wish: RehearsalWish, schema: typeof RehearsalLook) => post('/kiosk/staff/rehearsal', schema, wish),
		boxState: (signal?: AbortSignal) => get('/kiosk/staff/box', BoxState, {}, signal),
		countBox: (count: v.InferOutput<typeof BoxCountRequest>) => post('/kiosk/staff/box/count', BoxState, count),
		saveBox: (shown: BoxSaveRequest) => post('/kiosk/staff/box/save', BoxSaved, shown),
		staffLeave: () => post('/kiosk/staff/leave', v.unknown(), {}),
		/**
		 * @param of.offset number of rows before the first requested row
		 * @param of.limit maximum number of rows
		 * @param of.q search text, '' for all rows
		 */
		transactions: async ({ offset, limit, q }: { offset: number; limit: number; q: string }, signal?: AbortSignal) => {
			const page = await get(paths().payment_group, TransactionPage, { offset, limit, ...(q !== '' && { q }) }, signal);
			const odd = page.ok ? page.value.odd_rows : undefined;
			if (odd) reportFault('answer does not fit', `${paths().payment_group}: left out ${odd.map((at) => `results.${at}`).join('; ')}`);
			return page;
		},
		resendCallback: (id: Id) => post(paths().resend_callback.replace('{id}', encodeURIComponent(String(id))), ResendAnswer, undefined),
		/**
		 * Opens a QRIS code on the invoice if its total allows QRIS. The code is not in the answer; a
		 * look-up of the invoice brings it.
		 */
		createPayment: (id: Id) => post(paths().payment, PaymentAnswer, formDataOf({ payment_id: id })),
		vaBanks: () => get(paths().master_va, VaBanks, { is_active: true }),
		/** An invoice of type hutang_lain needs another call. */
		createVa: (bank: VaBank, detail: CustomerDetail) =>
			post(
				detail.transaction_type === 'hutang_lain' ? paths().create_va_hutang_lain : paths().create_va,
				CreatedVa,
				formDataOf({ bank_id: bank.id, bank: bank.script_kode, results: shortenDetail(detail) }),
			),
		cancelPayment: (detail: CustomerDetail) => post(paths().cancel_payment, PaymentAnswer, formDataOf(shortenDetail(detail))),
		/** The specification defines this call, but no screen makes it. */
		astraPay: (payload: unknown) => post(paths().astra_pay, PaymentAnswer, formDataOf(payload)),
		/**
		 * The specification defines this call, but no screen makes it: the daemon fetches and stores
		 * the film.
		 */
		video: () => get(paths().video, PromoVideo, {}),
		/** @param noinvoice the phone or invoice number as the customer entered it */
		invoiceInfo: (noinvoice: string, signal?: AbortSignal) => post(paths().invoice_info, InvoiceInfo, formDataOf({ noinvoice }), signal),
		openMachine: (detail: CustomerDetail, hp: string) =>
			post(paths().open_machine, OpenMachineAnswer, formDataOf({ ...shortenDetail(detail), hp })),
		/** The daemon answers only when no note is on its way any more. */
		closeCash: (id: Id) => post('/kiosk/cash/close', CashCloseAnswer, { id }),
		print: (wish: PrintRequest) => post('/kiosk/print', PrintAnswer, wish),
		/** @param id of the invoice on the screen */
		callStaff: (screen: CallingScreen, id: Id | null) => post('/kiosk/call-staff', StaffCallAnswer, { screen, id }),
		/**
		 * @param visit the number that the customer entered; '' if there is none
		 * @param id of the invoice on the screen
		 * @param touched whether the panel was touched since the previous report
		 */
		rendered: (screen: string, visit: string, id: Id | null, touched: boolean) =>
			post('/kiosk/rendered', v.unknown(), { screen, visit, id, touched }),
	};
}
