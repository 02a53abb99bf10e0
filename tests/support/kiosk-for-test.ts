import { onTestFinished } from 'vitest';
import { type Printer, startPrinter } from '../simulators/printer/start.ts';
import { type Kiosk, type KioskOptions, startKiosk } from './kiosk.ts';

// Everything that these functions start is stopped after the test, the last started part first.

/** Starts a kiosk for the running test. */
export async function kioskForTest(options?: KioskOptions): Promise<Kiosk> {
	const kiosk = await startKiosk(options);
	onTestFinished(() => kiosk.stop());
	return kiosk;
}

/** Starts a printer for the running test. @param printMs duration of one job */
export async function printerForTest(printMs = 50): Promise<Printer> {
	const printer = await startPrinter({ port: 0, printMs });
	onTestFinished(() => printer.stop());
	return printer;
}
