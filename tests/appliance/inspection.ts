/**
 * Audit of the running guest: each entry is a shell command that is run as root. Its output must
 * equal the file of the same name in expected/.
 */
export const INSPECTIONS: Readonly<Record<string, string>> = {
	// systemd's exposure level, at worst 10, of the units that belong to the kiosk or listen on a
	// socket.
	'unit-exposure': `for unit in kioskd kiosk-screen kiosk-setup kiosk-settled kiosk-fault kiosk-printer kiosk-ssh-keys kiosk-screenshot@x kiosk-factory-reset-asked kiosk-factory-reset kiosk-fleet-logs kiosk-fleet-metrics kiosk-on-trial kiosk-trial kiosk-update kiosk-update-command@x kiosk-update-import kiosk-update-install kiosk-update-outcome kiosk-update-restart kiosk-update-rollback kiosk-update-usb cups dbus iwd nftables seatd ssh systemd-journald systemd-networkd systemd-resolved systemd-timesyncd systemd-udevd
do echo "$unit $(systemd-analyze security --no-pager "$unit.service" | sed -n 's/.*Overall exposure level for .*: \\([0-9.]*\\) .*/\\1/p')"; done`,
	'listening-sockets': `ss -Hlntup | awk '{print $1, $5, $7}' | sed -E 's/users:\\(\\("([^"]*)".*/\\1/; s/%[a-z0-9]+//' | grep -v ':68 ' | sort -u`,
	accounts: `awk -F: '{print $1, ($3 >= 1000 || $3 == 0) ? $3 : "system", $6, $7}' /etc/passwd | sort; echo; awk -F: '$2 !~ /^[!*]/ {print "password:", $1}' /etc/shadow; getent group sudo adm wheel root kiosk-staff dialout video input | cut -d: -f1,4 | sort`,
	'setuid-files': 'find / -xdev \\( -perm -4000 -o -perm -2000 \\) -type f; getcap -r /usr 2>/dev/null; true',
	// Writable mounts with their options, without the kernel's own file systems. The `ls` makes
	// systemd mount the boot loader's partition, which it mounts only on access.
	'writable-mounts': `ls /efi >/dev/null; findmnt -rno TARGET,FSTYPE,OPTIONS | awk '$3 ~ /^rw/ && $2 !~ /^(proc|sysfs|cgroup2|securityfs|pstore|bpf|tracefs|debugfs|mqueue|configfs|fusectl|autofs|devpts|efivarfs|hugetlbfs|ramfs)$/ {print $1, $2, ($3 ~ /noexec/ ? "noexec" : "exec"), ($3 ~ /nosuid/ ? "nosuid" : "suid")}' | grep -v '^/run/\\(credentials\\|user\\)' | sort`,
	// UNIX sockets that the screen's service can connect to. Socket files without a listener, which
	// the initrd leaves behind, are left out.
	'sockets-of-screen': `nsenter -m -t "$(systemctl show -P MainPID kiosk-screen)" setpriv --reuid=kiosk-screen --regid=kiosk-screen --groups=video,render,audio find /run /var /tmp -type s -writable 2>/dev/null | grep -xFf <(ss -Hxa | awk '{print $5}') | sed -E 's#(/org\\.chromium\\.)[^/]+#\\1x#' | sort`,
	// Paths that the users of screen and daemon can write. Both services handle customers' data.
	'writable-by-screen': `runuser -u kiosk-screen -- find / -writable -not -type l \\( -path /proc -o -path /sys -o -path /dev/shm/\\* \\) -prune -o -writable -not -type l -print 2>/dev/null | grep -vE '^/(proc|sys|dev|run/kiosk-screen/.*)(/|$)' | sort`,
	'writable-by-daemon': `runuser -u kiosk-daemon -- find / \\( -path /proc -o -path /sys -o -path /dev \\) -prune -o -writable -not -type l -print 2>/dev/null | grep -vE '^/(var/cache/kiosk|var/lib/kiosk|var/lib/kiosk-journal)/.' | sort`,
	'no-tools': 'for tool in gcc cc ld make apt apt-get dpkg python3 curl wget nc sudo su pkexec; do command -v "$tool" || true; done',
	kernel: `for key in kernel.sysrq kernel.kptr_restrict kernel.dmesg_restrict kernel.yama.ptrace_scope kernel.unprivileged_bpf_disabled fs.suid_dumpable; do sysctl "$key"; done`,
	firewall: 'nft list ruleset',
};

/**
 * Shell command that prints the proportional set size of all processes of a user, MB: a page shared
 * by two processes counts half for each.
 */
export const MEMORY = (user: string) =>
	`for pid in $(pgrep -u ${user}); do cat /proc/$pid/smaps_rollup 2>/dev/null || true; done | awk '/^Pss:/ {sum += $2} END {printf "%d", sum / 1024}'`;
