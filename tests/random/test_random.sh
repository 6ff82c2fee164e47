#!/bin/sh
# Runs a few random models of every kind with the first Python that has what it takes; without numpy it is skipped.
# usage: test_random.sh TENON
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import numpy' 2>/dev/null; then
        OPENBLAS_NUM_THREADS=1 exec "$python" "$(dirname "$0")/run.py" "$1" --short
    fi
done
echo "no Python has numpy: install python3-numpy (./build.sh deps does)" >&2
[ -z "${TENON_NO_SKIPS:-}" ] || exit 1
exit 77
