import { guardTouches } from './touch-guard.ts';

/**
 * Disables the context menu, dragging, and touches that are not deliberate.
 * @returns a function that enables them again
 */
export function disableGestures(): () => void {
	const prevent = (event: Event) => event.preventDefault();
	window.addEventListener('contextmenu', prevent);
	window.addEventListener('dragstart', prevent);
	const stopGuarding = guardTouches();
	return () => {
		window.removeEventListener('contextmenu', prevent);
		window.removeEventListener('dragstart', prevent);
		stopGuarding();
	};
}
