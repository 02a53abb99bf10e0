/** Number of the first descriptor that systemd passes (sd_listen_fds). */
const FIRST = 3;

/**
 * Finds the descriptors that systemd opened for this process. A socket has the name of its unit, a
 * file the name from `OpenFile=`.
 * @returns descriptors by name; empty if there are none
 */
export function handedOver(environment: Readonly<Record<string, string | undefined>>, pid: number): Map<string, number> {
	if (environment.LISTEN_PID !== String(pid)) return new Map();
	const names = (environment.LISTEN_FDNAMES ?? '').split(':');
	return new Map(Array.from({ length: Number(environment.LISTEN_FDS) }, (_, index) => [names[index] ?? '', FIRST + index]));
}
