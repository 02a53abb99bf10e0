/** @returns "second" for 1, otherwise "seconds" */
export const secondsFor = (seconds: number): string => (seconds === 1 ? 'second' : 'seconds');

/** @returns "1 second", "2 seconds" */
export const inSeconds = (seconds: number): string => `${seconds} ${secondsFor(seconds)}`;
