/** Receives a simulator's events, each as one short English sentence. */
export type Log = (sentence: string) => void;

export const noLog: Log = () => {};
