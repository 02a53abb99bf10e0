/** The first descriptor that systemd passes (sd_listen_fds). */
const FIRST = 3;

/**
 * Descriptors opened by systemd for this process: sockets by the name of their unit, files of
 * `OpenFile=` by the name given there.
 * @returns descriptors by name; empty if there are none
 */
export function handedOver(environment: Readonly<Record<string, string | undefined>>, pid: number): Map<string, number> {
	if (environment.LISTEN_PID !== String(pid)) return new Map();
	const names = (environment.LISTEN_FDNAMES ?? '').split(':');
	return new Map(Array.from({ length: Number(environment.LISTEN_FDS) }, (_, index) => [names[index] ?? '', FIRST + index]));
}
