import { Component, type ReactNode } from 'react';
import { reportFault } from '../lib/report.ts';
import { CrashScreen } from './crash.tsx';

type Fault = { error: Error | null; code: string };

/**
 * @returns a random code: short enough to read out, and unique enough to find one fault in a day's
 * log
 */
const newCode = (): string => Math.random().toString(36).slice(2, 8);

/** After an error while rendering, shows the crash screen instead of a blank page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, Fault> {
	override state: Fault = { error: null, code: '' };

	static getDerivedStateFromError(error: unknown): Fault {
		return { error: error instanceof Error ? error : new Error(String(error)), code: newCode() };
	}

	override componentDidCatch(error: unknown): void {
		reportFault(`screen fault ${this.state.code}`, error);
	}

	override render(): ReactNode {
		return this.state.error === null ? this.props.children : <CrashScreen error={this.state.error} code={this.state.code} />;
	}
}
