#!/bin/sh
# Looks for texts that break the parser of expressions: with libFuzzer and sanitizers where clang has it, else as the test
# does, only longer. What libFuzzer finds stays in FOLDER/found.
# usage: fuzz.sh FOLDER [SECONDS]
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$1 seconds=${2:-60}
mkdir -p "$folder/found"
sources="$root/tests/fuzz/expression.c $(find "$root/kernel/expression" -name '*.c' ! -name 'test_*') \
    $root/kernel/base/decimal.c $root/kernel/base/text.c"
flags="-std=gnu17 -g -O1 -I$root/kernel -I$root/sdk/include -I$root/tests/fuzz"

# shellcheck disable=SC2086 # words are wanted
if clang $flags -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all $sources -lm -o "$folder/fuzz" \
    2>"$folder/build.log"; then
    exec "$folder/fuzz" -max_total_time="$seconds" -max_len=400 -dict="$root/tests/fuzz/expression.dict" \
        -artifact_prefix="$folder/found/" "$folder/found"
fi
echo "no libFuzzer (see $folder/build.log): random texts instead"
cc $flags -fsanitize=address,undefined -fno-sanitize-recover=all "$root/tests/fuzz/test_expression.c" $sources -lcmocka -lm \
    -o "$folder/random"
TENON_FUZZ_SECONDS=$seconds exec "$folder/random"
