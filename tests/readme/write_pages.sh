#!/bin/sh
# Writes the generated blocks of all plugin pages anew: what stands between
#     <!-- tenon describe NAME --markdown -->    and    <!-- end of tenon describe -->
# becomes what that command prints. test_pages.c checks the same.
# usage: write_pages.sh TENON SOURCE_DIR
set -eu

tenon=$1 source=$2 status=0
unset TENON_PLUGIN_PATH
new=$(mktemp)
trap 'rm -f "$new"' EXIT

for page in "$source"/plugins/*/*/*.md; do
    if ! grep -q '^<!-- tenon describe .* --markdown -->$' "$page"; then
        echo "$page: no block <!-- tenon describe NAME --markdown -->" >&2
        status=1
    elif ! awk -v tenon="$tenon" '
        /^<!-- tenon describe [a-z0-9_]* --markdown -->$/ {
            print
            command = "\"" tenon "\" describe " $4 " --markdown"
            while ((command | getline line) > 0) print line
            if (close(command) != 0) failed = 1
            inside = 1
            next
        }
        /^<!-- end of tenon describe -->$/ { inside = 0 }
        !inside { print }
        END { exit failed || inside }' "$page" >"$new"; then
        echo "$page: not written" >&2
        status=1
    elif ! cmp -s "$new" "$page"; then
        cat "$new" >"$page"
        echo "wrote $page"
    fi
done
exit $status
