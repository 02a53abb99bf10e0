#!/usr/bin/env bash
# Installs the Debian packages that the tests need and that are missing. This needs root, or a sudo
# that asks for no password. Without either it prints the command.
set -eu
export PATH="$PATH:/usr/sbin:/sbin"
missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v socat >/dev/null || missing+=(socat)
command -v cupsd >/dev/null || missing+=(cups)
command -v lpadmin >/dev/null || missing+=(cups-client)
command -v pdftotext >/dev/null || missing+=(poppler-utils)
[ -x /lib/systemd/systemd-journald ] || missing+=(systemd)
[ -x /lib/systemd/systemd-journal-remote ] || missing+=(systemd-journal-remote)
command -v openssl >/dev/null || missing+=(openssl)
command -v espeak-ng >/dev/null || missing+=(espeak-ng)
command -v opusenc >/dev/null || missing+=(opus-tools)
command -v patch >/dev/null || missing+=(patch)

# Unpacks only the programs prometheus and promtool, because the installed package would start a
# server. The download has 20 MB, the programs have 98 MB.
unpack_prometheus() {
	local cache=node_modules/.cache/prometheus scratch
	[ -x $cache/promtool ] && return
	command -v apt-get >/dev/null || { echo "The tests need prometheus and promtool in $cache." >&2; exit 1; }
	scratch=$(mktemp -d)
	chmod 755 "$scratch"
	echo "Unpacking for the tests: prometheus"
	(cd "$scratch" && apt-get -qq download prometheus && dpkg-deb -x prometheus_*.deb .)
	mkdir -p $cache
	mv "$scratch"/usr/bin/prometheus "$scratch"/usr/bin/promtool $cache/
	rm -rf "$scratch"
}
cd "$(dirname "$0")/../.."
if [ ${#missing[@]} -eq 0 ]; then
	unpack_prometheus
	exit 0
fi

install="apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${missing[*]}"
if ! command -v apt-get >/dev/null; then
	echo "The tests need: ${missing[*]}. This is not a Debian machine, so install them by hand." >&2
	exit 1
elif [ "$(id -u)" = 0 ]; then
	echo "Installing for the tests: ${missing[*]}"
	bash -c "$install"
elif sudo -n true 2>/dev/null; then
	echo "Installing for the tests: ${missing[*]}"
	sudo bash -c "$install"
else
	printf 'The tests need packages that this machine lacks. Run:\n\n  sudo bash -c "%s"\n\n' "$install" >&2
	exit 1
fi
unpack_prometheus
