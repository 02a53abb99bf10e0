import { Component, type ReactNode } from 'react';
import { reportFault } from '../app/report.ts';
import { CrashScreen } from '../screens/crash/crash.tsx';

type Fault = { error: Error | null; code: string };

/** Short enough to be read out, long enough to find one fault among a day's. */
const newCode = (): string => Math.random().toString(36).slice(2, 8);

/** The last net: a fault of the screen becomes a screen of its own, never a blank. */
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
