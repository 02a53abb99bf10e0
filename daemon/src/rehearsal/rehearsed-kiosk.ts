import { VERSION } from '../base/version.ts';
import type { Settings } from '../settings/settings.ts';
import type { Recording } from './signed-file.ts';

/** @returns site, version and settings of the devices, for a recording */
export function rehearsedKiosk({
	site,
	acceptor,
	edc,
	printer,
}: Pick<Settings, 'site' | 'acceptor' | 'edc' | 'printer'>): Recording['kiosk'] {
	const { notes, ...line } = acceptor ?? {};
	return {
		site: site.name,
		version: VERSION,
		notes: Object.fromEntries(notes ?? []),
		acceptor: acceptor ? { ...line, switched_off: [...(acceptor.switched_off ?? [])] } : null,
		edc: edc ? { ...edc, unknown_codes: [...edc.unknown_codes], retry_codes: [...edc.retry_codes] } : null,
		printer: printer ? { format: printer.format } : null,
	};
}
