# Bash completion of kioskctl.
[ -z "${BASH_VERSION:-}" ] || . /usr/share/kiosk/kioskctl.bash
