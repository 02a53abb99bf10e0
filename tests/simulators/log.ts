/** Called with each event of a simulator, as a short English sentence. */
export type Log = (sentence: string) => void;

export const noLog: Log = () => {};
