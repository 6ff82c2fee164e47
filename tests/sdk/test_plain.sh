#!/usr/bin/env bash
# The element that sdk/examples/plain writes against the plain structs, in C, C++ and Rust: with each compiler that this
# machine has it builds without a warning, holds the generic checks of a plugin (its tangent is exact), and moves a model
# by the same bits; what it refuses is told to the user.
# usage: test_plain.sh SOURCE_DIR TENON CONFORMANCE_PROGRAM
set -euo pipefail

source=$1 tenon=$2 conformance=$3
example=$source/sdk/examples/plain
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-O2 -fPIC -shared -ffp-contract=off -I"$source/sdk/include" -lm)
warnings=(-Wall -Wextra -Wshadow -Wconversion -Wdouble-promotion -Wno-missing-field-initializers -Werror)
built=()

# build NAME FILE COMPILER OPTION...: into the folder NAME
build() {
    local name=$1 file=$2
    shift 2
    if ! command -v "$1" >/dev/null; then
        echo "$1 is not there: $file is left out"
        return 0
    fi
    mkdir "$work/$name"
    "$@" "$example/$file" -o "$work/$name/linear_spring.so"
    built+=("$name")
}

build gcc linear_spring.c gcc -std=c17 "${warnings[@]}" "${flags[@]}"
build clang linear_spring.c clang -std=c17 "${warnings[@]}" "${flags[@]}"
build g++ linear_spring.cpp g++ -std=c++20 -fvisibility=hidden "${warnings[@]}" "${flags[@]}"
build clang++ linear_spring.cpp clang++ -std=c++20 -fvisibility=hidden "${warnings[@]}" "${flags[@]}"
build rust linear_spring.rs rustc --edition 2021 --crate-type cdylib -D warnings -O -C panic=abort
[ ${#built[@]} -gt 0 ]

sed 's/linear_spring"/spring_damper"/' "$example/linear_spring.toml" >"$work/reference.toml"
"$tenon" run "$work/reference.toml" --quiet --out "$work/results/reference"
sed 's/^position = \[1, 0, 0\]/position = [0, 0, 0]/' "$example/linear_spring.toml" >"$work/coincident.toml"

for name in "${built[@]}"; do
    folder=$work/$name results=$work/results/$name
    [ "$(nm -D --defined-only "$folder/linear_spring.so" | awk '{ print $3 }')" = tn_plugin_library ]
    "$tenon" run "$example/linear_spring.toml" --plugin-path "$folder" --quiet --out "$results"
    cmp "$results/sensors.csv" "$work/results/${built[0]}/sensors.csv"
    "$tenon" compare "$results/sensors.csv" "$work/results/reference/sensors.csv" --rtol 1e-9 --atol 1e-9
    TENON_PLUGINS=$folder "$conformance" >"$work/checks" 2>&1 || { cat "$work/checks" && exit 1; }
    grep 'OK.*linear_spring' "$work/checks" >/dev/null
    if "$tenon" run "$work/coincident.toml" --plugin-path "$folder" --quiet --out "$work/none" 2>"$work/told"; then
        echo "$name: points that coincide have no force" >&2
        exit 1
    fi
    grep 'its two points coincide: at length zero it has no direction' "$work/told" >/dev/null
done
