#!/usr/bin/env bash
# If Node is missing or too old, says so in one line; npm would print many.
set -eu
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
	echo 'Node.js 20 or newer and npm are needed. On Debian: apt-get install nodejs npm' >&2
	exit 1
fi
major=$(node -p 'process.versions.node.split(".")[0]')
if [ "$major" -lt 20 ]; then
	echo "Node.js 20 or newer is needed; this is $(node --version)." >&2
	exit 1
fi
