/** Where a note can end. */
export type NoteEnd = 'returned' | 'stacked' | 'removed';

/** A note that has left the transport, and how. */
export interface SettledNote {
	nominal: number;
	code: number | null;
	at: string;
	reason: string;
}

/** The device's own truth: where every note ended that ever went in. */
export interface Cashbook {
	/** Everything that ever went into a cashbox, oldest first. */
	stacked: SettledNote[];
	/** Everything the customer got back. */
	returned: SettledNote[];
	/** Notes that staff took out of the transport by hand. */
	removed: SettledNote[];
	/** How many of `stacked` lay in cashboxes that were taken away. */
	collected: number;
}
