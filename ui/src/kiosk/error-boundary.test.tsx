// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary.tsx';

beforeEach(() => sessionStorage.clear());
afterEach(() => {
	cleanup();
	vi.restoreAllMocks();
});

function Broken(): never {
	throw new Error('kabel putus');
}

test('[spec 2.11.1] a render error shows "Unexpected Application Error!" with the error text and a reference number', () => {
	vi.spyOn(console, 'error').mockImplementation(() => undefined);
	render(
		<ErrorBoundary>
			<Broken />
		</ErrorBoundary>,
	);
	expect(screen.getByText('Unexpected Application Error!')).toBeTruthy();
	expect(screen.getByText('kabel putus')).toBeTruthy();
	expect(screen.getByText(/^Nomor rujukan [0-9a-z]{6}$/)).toBeTruthy();
});
