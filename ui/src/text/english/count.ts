/** @returns "1 second", "2 seconds" */
export const inSeconds = (seconds: number): string => `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
