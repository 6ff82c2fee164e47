#!/bin/sh
# Makes the pictures of the README, the page of the first model, and of that of studies. test_picture.c makes them anew and compares.
# usage: write_picture.sh TENON SOURCE_DIR RUN.png STUDY.png
set -eu

tenon=$1 source=$2 run=$3 study=$4
unset TENON_PLUGIN_PATH
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
"$tenon" run "$source/configs/first/spring_damper.toml" --quiet --out "$results/run"
"$tenon" report "$results/run" --png "$run" --whole --at 0.4 --size 900x580
"$tenon" study "$source/configs/studies/damper_study.toml" --quiet --out "$results/damper"
"$tenon" study report "$results/damper" --quiet
node "$source/plugins/writers/report/browser/picture.mjs" "file://$results/damper/study.html#view=parallel" "$study" 960x580
