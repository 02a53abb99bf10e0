/**
 * Number of invoices whose newest messages and answers are kept in memory. They are compared
 * because messages and answers may arrive in the wrong order. After this many other invoices, that
 * can no longer happen.
 */
const MOST_HEARD = 50;

/** Sets an entry, and keeps only the newest entries. */
export function remember<K, V>(known: Map<K, V>, key: K, value: V): void {
	known.delete(key);
	known.set(key, value);
	for (const oldest of known.keys()) {
		if (known.size <= MOST_HEARD) break;
		known.delete(oldest);
	}
}
