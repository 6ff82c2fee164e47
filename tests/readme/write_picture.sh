#!/bin/sh
# Makes the picture of the README: the page of the first model. test_picture.c makes it anew and compares.
# usage: write_picture.sh TENON SOURCE_DIR FILE.png
set -eu

tenon=$1 source=$2 picture=$3
unset TENON_PLUGIN_PATH
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
"$tenon" run "$source/configs/first/spring_damper.toml" --quiet --out "$results"
"$tenon" report "$results" --png "$picture" --whole --at 0.4 --size 900x580
