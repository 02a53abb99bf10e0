/** A kiosk has no right mouse button and nothing to drag out of the page. @returns undoes it */
export function keepKioskManners(): () => void {
	const prevent = (event: Event) => event.preventDefault();
	window.addEventListener('contextmenu', prevent);
	window.addEventListener('dragstart', prevent);
	return () => {
		window.removeEventListener('contextmenu', prevent);
		window.removeEventListener('dragstart', prevent);
	};
}
