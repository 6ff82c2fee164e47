#!/bin/sh
# Looks for texts that break a reader of texts: with libFuzzer and sanitizers where clang has it, else as the test does, only
# longer. What libFuzzer finds stays in FOLDER/found; FOLDER/TARGET holds the texts that reach different places.
# usage: fuzz.sh expression|model|run FOLDER [SECONDS]
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
target=$1 folder=$2 seconds=${3:-60}
mkdir -p "$folder/$target" "$folder/found"

build() { # build FOLDER TARGET OPTION...: with the program's plugins, which models ask for
    to=$1 what=$2
    shift 2
    cmake -S "$root" -B "$to" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo "$@" && cmake --build "$to" --target program "$what"
}

if CC=clang CXX=clang++ build "$folder/libfuzzer" "fuzz_$target" -DTENON_FUZZ=ON >"$folder/build.log" 2>&1; then
    case $target in
    expression)
        length=400
        cp "$root/tests/fuzz/expression.dict" "$folder/$target.dict"
        ;;
    model | run)
        length=8000
        cp "$root"/tests/fuzz/*.toml "$root"/configs/seeds/*.toml "$root"/configs/contact/*.toml "$folder/$target"
        cp "$root/tests/fuzz/model.dict" "$folder/$target.dict"
        ;;
    esac
    echo leak:libudunits2 >"$folder/leaks" # its scanner keeps a few letters of each unit that it refuses
    export LSAN_OPTIONS="suppressions=$folder/leaks"
    exec "$folder/libfuzzer/fuzz_$target" -max_total_time="$seconds" -max_len="$length" -timeout=20 \
        -dict="$folder/$target.dict" -artifact_prefix="$folder/found/" "$folder/$target"
fi
echo "no libFuzzer (see $folder/build.log): random texts instead"
build "$folder/random" "tests.fuzz.test_$target" -DTENON_SANITIZE=ON >"$folder/build.log"
TENON_FUZZ_SECONDS=$seconds exec "$folder/random/tests/tests.fuzz.test_$target"
