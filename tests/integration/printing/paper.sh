#!/bin/sh
# A CUPS backend that simulates the receipt printer.
# Arguments: job user title copies options [file].
# The queue's device address is paper:FOLDER. FOLDER/mode sets the printer's behaviour.
# FOLDER/sheets holds the printed sheets.
set -eu
if [ $# -eq 0 ]; then
	echo 'direct paper "Unknown" "Paper in a folder"'
	exit 0
fi
folder=${DEVICE_URI#paper:}
sheet=$(printf '%s/sheets/%05d-%d' "$folder" "$1" $$)
mode() { cat "$folder/mode"; }
# Waits while the mode is $1; ends if the print server has ended.
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

# Exit codes as in cups/backend.h.
case $(mode) in
fail) exit 1 ;;
stop) exit 4 ;;
cancel) exit 5 ;;
retry) exit 6 ;;
esac

cat "${6:--}" >"$folder/coming-$$"
if [ "$(mode)" = tear ]; then
	# Simulates a power cut of the printer after half of the receipt.
	head -c $(($(wc -c <"$folder/coming-$$") / 2)) "$folder/coming-$$" >"$sheet"
	exit 1
fi
while_mode slow
mv "$folder/coming-$$" "$sheet"
