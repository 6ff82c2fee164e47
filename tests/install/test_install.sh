#!/usr/bin/env bash
# Installs Tenon into an empty folder, builds a plugin outside the tree with find_package(tenon) and with the
# installed `tenon build`, and runs a model with both: the results must be the same, bit for bit. Then programs that use libtenon.
# usage: test_install.sh SOURCE_DIR BUILD_DIR
set -euo pipefail

source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >/dev/null
tenon=$work/prefix/bin/tenon
[ -f "$work/prefix/include/tenon/kit/joint.h" ]
cp "$source"/sdk/examples/*.* "$work"
cmake -S "$work" -B "$work/cmake" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/cmake" >/dev/null
[ -f "$work/cmake/cubic_spring.so" ]

mkdir "$work/built"
"$tenon" build "$work/cubic_spring.c" -o "$work/built/cubic_spring.so" >/dev/null
for plugin in cmake built; do
    "$tenon" run "$work/cubic_spring.toml" --plugin-path "$work/$plugin" --out "$work/results/$plugin" --quiet
done
"$tenon" compare "$work/results/cmake/sensors.csv" "$work/results/built/sensors.csv" --rtol 1e-15 --atol 1e-15
"$tenon" describe spring_damper | grep "$work/prefix/lib/tenon/plugins/spring_damper.so" >/dev/null
# a library of several types is found by each of their names, and reported once
"$tenon" describe psi | grep "$work/prefix/lib/tenon/plugins/kinematics.so" >/dev/null
[ "$(readlink "$work/prefix/lib/tenon/plugins/psi.so")" = kinematics.so ]
[ "$("$tenon" plugins | grep -c 'psi\.so')" = 0 ]
[ "$("$tenon" plugins | grep -c 'marker  *psi ')" = 1 ]
# what the build has left out is known
[ -s "$work/prefix/lib/tenon/plugins.list" ]
# pages, models and examples come along, and their links to headers hold
[ -f "$work/prefix/share/doc/tenon/sdk/include/tenon/element/force.h" ]
[ -f "$work/prefix/share/doc/tenon/plugins/solvers/rk/rk.md" ] && [ -f "$work/prefix/share/doc/tenon/configs/README.md" ]
"$tenon" run "$work/prefix/share/doc/tenon/configs/first/spring_damper.toml" --out "$work/results/first" --quiet
# programs that use the library: by pkg-config, by find_package, from Python; all see the same numbers
crank=$work/prefix/share/doc/tenon/configs/seeds/input.toml
export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
# shellcheck disable=SC2046 # words
cc -std=c99 -pedantic -Wall -Wextra -Werror "$work/embed.c" $(pkg-config --cflags --libs tenon) -lpthread \
    -Wl,-rpath,"$work/prefix/lib" -o "$work/embed"
said=$("$work/embed" "$crank")
[ "$("$work/cmake/embed" "$crank")" = "$said" ]
rm "$work/cmake/embed" # linked as CMake likes
[ "$(python3 "$work/embed.py" "$work/prefix/lib/libtenon.so" "$crank")" = "$said" ]
[ ! -e results ]
# nothing of it looks for libraries in the current folder, nor do plugins that are built with it
"$source/tests/install/check_binaries.sh" "$work/prefix" "$work/built" "$work/cmake"
