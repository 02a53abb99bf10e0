import { type RefObject, useLayoutEffect, useState } from 'react';

/** @returns the present inner height of an element in px; 0 before the first layout */
export function useHeight(element: RefObject<HTMLElement | null>): number {
	const [height, setHeight] = useState(0);
	useLayoutEffect(() => {
		const measured = element.current;
		if (measured === null) return;
		const measure = () => setHeight(measured.clientHeight);
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(measured);
		return () => observer.disconnect();
	}, [element]);
	return height;
}
