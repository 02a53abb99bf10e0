import { Component, type ReactNode } from 'react';
import { reportFault } from '../app/report.ts';
import { CrashScreen } from '../screens/crash/crash.tsx';

type Fault = { error: Error | null };

/** The last net: a fault of the screen becomes a screen of its own, never a blank. */
export class ErrorBoundary extends Component<{ children: ReactNode }, Fault> {
	override state: Fault = { error: null };

	static getDerivedStateFromError(error: unknown): Fault {
		return { error: error instanceof Error ? error : new Error(String(error)) };
	}

	override componentDidCatch(error: unknown): void {
		reportFault('screen fault', error);
	}

	override render(): ReactNode {
		return this.state.error === null ? this.props.children : <CrashScreen error={this.state.error} />;
	}
}
