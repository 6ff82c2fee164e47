#!/usr/bin/env bash
# Looks at every program and library in some folders: libraries are found in whole paths or beside the file only, never
# in the current folder; everything is bound before it runs, and read-only then; programs lie at no fixed place.
# usage: check_binaries.sh FOLDER ...
set -euo pipefail

wrong=0
fail() {
    echo "$1: $2" >&2
    wrong=1
}

# An empty element of a path, or a relative one, means the current folder.
check_path() {
    local element rest=$2:
    while [ -n "$rest" ]; do
        element=${rest%%:*} rest=${rest#*:}
        case $element in
        /* | \$ORIGIN | \$ORIGIN/*) ;;
        *) fail "$1" "element '$element' of its RPATH '$2'" ;;
        esac
    done
}

check() {
    local dynamic path
    dynamic=$(readelf -W -d "$1")
    if [[ $dynamic == *PATH\)* ]]; then
        path=$(sed -n 's/.*(R[UN]*PATH).*\[\(.*\)\]$/\1/p' <<<"$dynamic")
        check_path "$1" "$path"
    fi
    [[ $dynamic == *BIND_NOW* ]] || fail "$1" "symbols are bound while it runs"
    [[ $(readelf -W -l "$1") == *GNU_RELRO* ]] || fail "$1" "its tables stay writable"
    [[ $(readelf -W -h "$1") == *DYN* ]] || fail "$1" "it lies at a fixed place"
}

count=0
while IFS= read -r file; do
    [ "$(head -c 4 "$file" | tail -c 3)" = ELF ] || continue
    check "$file"
    count=$((count + 1))
done < <(find "$@" -type f \( -name '*.so' -o -perm -u+x \) ! -path '*/CMakeFiles/*')
[ "$count" -gt 0 ] || fail "$*" "no programs and no libraries"
exit "$wrong"
