#!/usr/bin/env bash
# The authoring layer compiles without a warning in every language and pass that a text is compiled in, with the compilers of
# this machine; a loop calls its text directly; what is wrong in a text is an error in that line.
# usage: test_compilers.sh SOURCE_DIR
set -euo pipefail

source=$1
text=$source/tests/sdk/every_text.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
warnings=(-Wall -Wextra -Wshadow -Wconversion -Wdouble-promotion -Werror)
flags=(-O2 -fPIC -I"$source/sdk/include" -c)
tried=0

# compile COMPILER OPTION...: the object stands in $work/object.o
compile() {
    command -v "$1" >/dev/null || return 0
    "$@" "${flags[@]}" "${warnings[@]}" -o "$work/object.o"
    tried=$((tried + 1))
    # the text and the function around it have become part of the loop, but for constraints and their unknowns
    if nm "$work/object.o" | grep -Ev 'constraint|algebraic' | grep -E '_(of|text)$' >&2; then
        echo "$*: the loop does not contain its text" >&2
        exit 1
    fi
}

for each in "$text" "$source/tests/sdk/calling_law.c"; do
    for compiler in gcc clang; do
        compile $compiler -std=c17 -Wvla -DTN_PASS=0 "$each"
        compile $compiler -std=gnu17 -Wvla -DTN_PASS=2 "$each"
    done
    for compiler in g++ clang++; do
        for standard in 17 20; do
            for pass in 0 1 3; do
                compile $compiler -std=c++$standard -Wno-psabi -DTN_PASS=$pass -x c++ "$each"
            done
        done
    done
done
[ $tried -gt 0 ]

# the text of the force ends with a mistake
line=$(grep -n 'wrench\[1\].force = tn_negate' "$text" | cut -d: -f1)
sed "${line}s/;$/ + mistake;/" "$text" >"$work/wrong.c"
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    if $compiler "${flags[@]}" -std=c17 -o "$work/object.o" "$work/wrong.c" 2>"$work/errors"; then exit 1; fi
    [[ $(grep -m 1 error: "$work/errors") == *"/wrong.c:$line:"* ]]
done
