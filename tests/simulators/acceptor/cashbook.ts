/** Final place of a note. */
export type NoteEnd = 'returned' | 'stacked' | 'removed';

/** A note that has left the transport, with its end. */
export interface SettledNote {
	nominal: number;
	code: number | null;
	at: string;
	reason: string;
}

/** The device's own record of the end of every inserted note. */
export interface Cashbook {
	/** Notes that went into a cashbox, oldest first. */
	stacked: SettledNote[];
	/** Notes returned to the customer. */
	returned: SettledNote[];
	/** Notes that staff removed from the transport by hand. */
	removed: SettledNote[];
	/** How many of `stacked` were in cashboxes that were taken away. */
	collected: number;
}
