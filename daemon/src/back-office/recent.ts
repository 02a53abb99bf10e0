/**
 * Number of newest entries that a map of invoices keeps in memory. Messages and answers about an
 * invoice are compared, because they may arrive in the wrong order. After this many other invoices,
 * no late answer is expected.
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
