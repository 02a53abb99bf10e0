# Tab completes kioskctl.
[ -z "${BASH_VERSION:-}" ] || . /usr/share/kiosk/kioskctl.bash
