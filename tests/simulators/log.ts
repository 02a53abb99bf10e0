/** Receives a simulator's events; one short English sentence a call. */
export type Log = (sentence: string) => void;

export const noLog: Log = () => {};
