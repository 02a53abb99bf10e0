#!/bin/sh
# The receipt printer behind CUPS, as a CUPS backend: argv is job user title copies options [file]; the queue's device
# address is paper:FOLDER. FOLDER/mode says what the printer does, FOLDER/sheets holds what came out of it.
set -eu
if [ $# -eq 0 ]; then
	echo 'direct paper "Unknown" "Paper in a folder"'
	exit 0
fi
folder=${DEVICE_URI#paper:}
sheet=$(printf '%s/sheets/%05d-%d' "$folder" "$1" $$)
mode() { cat "$folder/mode"; }
# Waits for another mode, but not longer than the print server lives.
while_mode() {
	while [ "$(mode)" = "$1" ]; do
		kill -0 $PPID || exit 1
		sleep 0.05
	done
}

echo $$ >>"$folder/pids"
echo "$1 $(mode)" >>"$folder/runs"
[ "$(mode)" = paper-out ] && echo 'STATE: +media-empty-error' >&2
while_mode paper-out
echo 'STATE: -media-empty-error' >&2

# Exit codes of cups/backend.h.
case $(mode) in
fail) exit 1 ;;
stop) exit 4 ;;
cancel) exit 5 ;;
retry) exit 6 ;;
esac

cat "${6:--}" >"$folder/coming-$$"
if [ "$(mode)" = tear ]; then
	# Half of the receipt is on paper when the printer loses its power.
	head -c $(($(wc -c <"$folder/coming-$$") / 2)) "$folder/coming-$$" >"$sheet"
	exit 1
fi
while_mode slow
mv "$folder/coming-$$" "$sheet"
