#!/usr/bin/env bash
# Run as root, installs the Debian packages that the appliance test needs and that are missing.
# Otherwise prints the command that installs them.
set -eu
export PATH="$PATH:/usr/sbin:/sbin"
missing=()
command -v qemu-system-x86_64 >/dev/null || missing+=(qemu-system-x86)
[ -e /usr/share/OVMF/OVMF_CODE_4M.fd ] || missing+=(ovmf)
command -v mcopy >/dev/null || missing+=(mtools)
command -v partx >/dev/null || missing+=(util-linux)
command -v losetup >/dev/null || missing+=(mount)
command -v sfdisk >/dev/null || missing+=(fdisk)
command -v ssh >/dev/null || missing+=(openssh-client)
# A test signs a kernel image with another key. It needs these tools of `make image`.
command -v bwrap >/dev/null || missing+=(bubblewrap)
command -v objcopy >/dev/null || missing+=(binutils)
command -v openssl >/dev/null || missing+=(openssl)
[ "${1:-}" != swtpm ] || command -v swtpm >/dev/null || missing+=(swtpm)
[ ${#missing[@]} -eq 0 ] && exit 0
install="apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${missing[*]}"
if [ "$(id -u)" != 0 ]; then
	printf 'The appliance test needs packages that this machine lacks. Run:\n\n  sudo bash -c "%s"\n\n' "$install" >&2
	exit 1
fi
bash -c "$install"
