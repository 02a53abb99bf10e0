import { guardTouches } from './touch-guard.ts';

/** A kiosk has no right mouse button, nothing to drag out of the page, and fingers that shake. @returns undoes it */
export function keepKioskManners(): () => void {
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
