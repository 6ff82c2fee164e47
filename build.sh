#!/usr/bin/env bash
# The one entry to the build: installs what is missing, then calls CMake and CTest.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
packages=(build-essential cmake ninja-build pkg-config libtomlplusplus-dev libudunits2-dev libsuitesparse-dev
          liblapacke-dev libarpack2-dev libgsl-dev libmatio-dev libcmocka-dev python3 python3-jsonschema
          python3-numpy)
renewed=no # whether packages were installed, so that CMake has to look again

usage() {
    cat <<'END'
usage: ./build.sh COMMAND
  deps              install the Debian packages that are missing
  build [...]       build the program and its plugins in build/ (cmake --build ...)
  run MODEL [...]   build what changed, then run a model: tenon run MODEL ...
  test              build and run all tests, also under the address and undefined behaviour sanitizers
  soak [NAME ...]   build, then run the checks that take up to some hours, or those of these names (tests/soak)
  docs              write the reference blocks of all plugin pages anew
  bench             measure against hand-written programs
  install [PREFIX]  install the program, its plugins and the SDK (default /usr/local)
  clean             remove what was built
END
}

fail() {
    printf 'build.sh: %s\n' "$*" >&2
    exit 1
}

# Runs a command silently; what it said is shown when it fails.
quietly() {
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 </dev/null || status=$?
    [ "$status" = 0 ] || cat "$log" >&2
    rm -f "$log"
    return "$status"
}

deps() {
    command -v dpkg-query >/dev/null || return 0 # another system: CMake says what it misses
    local installed package missing=() sudo=()
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)
    for package in "${packages[@]}"; do
        [[ $'\n'$installed$'\n' == *$'\n'"$package installed"$'\n'* ]] || missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] && return 0
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || fail "please install these packages: ${missing[*]}"
        sudo=(sudo)
    fi
    echo "installing ${missing[*]}" >&2
    quietly "${sudo[@]}" apt-get update || fail "apt-get update failed"
    quietly "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        "${missing[@]}" || fail "apt-get install failed"
    renewed=yes
}

# configure PRESET FOLDER: only when it has to; afterwards Ninja notices by itself what changed.
configure() {
    if [ "$renewed" = no ] && [ -f "$root/$2/build.ninja" ] &&
        grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$root/$2/CMakeCache.txt"; then
        return 0
    fi
    command -v cmake >/dev/null || fail "CMake is missing"
    (cd "$root" && cmake --fresh --preset "$1")
}

# In a continuous integration warnings are errors.
build() {
    configure "$([ -n "${CI:-}" ] && echo test || echo release)" build &&
        cmake --build "$root/build" "$@"
}
build_sanitized() { configure asan build-asan && cmake --build "$root/build-asan"; }

# run_tests FOLDER: prints CTest's closing lines, or all of it after a failure.
run_tests() {
    local report status=0
    echo "$1:"
    report=$(ctest --test-dir "$root/$1" --output-on-failure --no-tests=error -j 2 2>&1) || status=$?
    if [ "$status" = 0 ]; then tail -n 3 <<<"$report"; else printf '%s\n' "$report"; fi
    return "$status"
}

test_all() {
    local status=0
    export TENON_NO_SKIPS=1 # what tests need has been installed
    quietly build && quietly build_sanitized || return 1
    run_tests build || status=1
    run_tests build-asan || status=1
    return "$status"
}

# The first Python that has what the checks need.
soak() {
    local python
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import numpy, tomllib' 2>/dev/null || continue
        OPENBLAS_NUM_THREADS=1 exec "$python" "$root/tests/soak/soak.py" "$@"
    done
    fail "no Python has numpy: install python3-numpy"
}

command=${1:-}
[ $# = 0 ] || shift
case $command in
deps) deps ;;
build) deps && build "$@" ;;
run)
    [ $# -gt 0 ] || fail "run needs a model: ./build.sh run MODEL"
    deps
    [ -x "$root/build/tenon" ] || echo "building Tenon, once" >&2
    quietly build --target program && exec "$root/build/tenon" run "$@"
    ;;
test) deps && test_all ;;
soak) deps && quietly build --target program && soak "$@" ;;
docs) deps && quietly build --target program && exec "$root/tests/readme/write_pages.sh" "$root/build/tenon" "$root" ;;
bench) deps && quietly build --target program limits && exec "$root/tests/bench/bench.sh" ;;
install) deps && quietly build --target program && cmake --install "$root/build" --prefix "${1:-/usr/local}" ;;
clean) rm -rf "$root"/build "$root"/build-* ;;
'' | help | -h | --help) usage ;;
*)
    usage >&2
    fail "unknown command '$command'"
    ;;
esac
