#!/usr/bin/env bash
# results.h5 of the test recording as the tools of NetCDF have it. usage: check_ncdump.sh FOLDER; 77: there is no ncdump
set -euo pipefail

command -v ncdump >/dev/null || exit 77
header=$(ncdump -h "$1/results.h5")
values=$(ncdump -g sensors -v count "$1/results.h5")
has() { grep -qF -- "$1" <<<"$2" || { echo "ncdump shows no: $1" >&2; printf '%s\n' "$2" >&2; exit 1; }; }
has 'double count(time) ;' "$header"
has 'string count:units = "m" ;' "$header"
has 'string time:units = "s" ;' "$header"
has 'double pair(time, component_of_2) ;' "$header"
has 'double position(time, names, axis) ;' "$header"
has 'string position:units = "m" ;' "$header"
has 'string :title = "pendulum <test>" ;' "$header"
if grep -qF phony_dim <<<"$header"; then echo "dimensions without a scale: $header" >&2; exit 1; fi
has ' count = 0, 1, 2, 3,' "$values"
