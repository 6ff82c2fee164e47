#!/usr/bin/env bash
# Solves the problems of the first steps of models of contact alone, by all constraint solvers, and then problems that the program makes:
# iterations, times and errors from zero, and from the impulses of the step before. Part of `./build.sh bench`; plugins/constraint_solvers
# has the figures in fclib/fclib.md.
# usage: friction.sh [STEPS]
set -euo pipefail
export LC_ALL=C OPENBLAS_NUM_THREADS=1

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
steps=${1:-50}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for model in stack spheres rocking_block cradle painleve; do
    "$root/build/tenon" run "$root/configs/contact/$model.toml" --quiet --out "$work/results" \
        --set "solver.problems={folder=\"$work/$model\",most=$steps}" 2>"$work/errors" || { cat "$work/errors" >&2; exit 1; }
    echo "$model: the problems of its first steps"
    # some are too much for some solvers, which the table shows
    "$root/build/tenon-solve-problem" --summary "$work/$model"/*.hdf5 || true
    echo
done
"$root/build/tenon-solve-problem" --made || true
