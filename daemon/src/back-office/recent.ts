/**
 * Number of invoices whose newest messages and answers are remembered and compared, because a
 * message and an answer can overtake each other. After messages or answers about this many other
 * invoices, that can no longer happen.
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
