#!/usr/bin/env bash
# The one entry to the build: installs what is missing, then calls CMake and CTest.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# What the program, a first model and large ones need; this BLAS is four times as fast as the reference one, has no threads of its own, and so
# gives the same bits for any number of them. Plugins whose libraries are not there are left out, and `tenon plugins` says so.
first_packages=(gcc g++ cmake ninja-build pkg-config libtomlplusplus-dev libudunits2-dev libsuitesparse-dev liblapacke-dev
                libsqlite3-dev libmd-dev libmumps-seq-dev libscotch-dev libopenblas0-serial)
# Libraries of other plugins: splines, gsl_ode and conjugate_gradients, nlopt, ida, eigen, linearise, fclib, hdf5, report, lua, python, mpi; of
# `tenon watch`; what tests need, among it readers of results.
later_packages=(libgsl-dev libnlopt-dev libsundials-dev libarpack2-dev libmatio-dev libfclib-dev libhdf5-dev zlib1g-dev liblua5.4-dev libpython3-dev
                libopenmpi-dev openmpi-bin libmicrohttpd-dev libcmocka-dev python3 python3-jsonschema python3-numpy chromium
                python3-h5py python3-xarray python3-netcdf4 netcdf-bin python3-vtk9)
# Of checks that ./build.sh soak skips where these cannot be installed: studies on a cluster.
soak_packages=(slurm-wlm)
# Plugins that every model uses, by itself or by default.
first_plugins=(ground point frame coordinate csv chain dense generalized_alpha)
renewed=no # whether packages were installed, so that CMake has to look again

usage() {
    cat <<'END'
usage: ./build.sh COMMAND
  deps [all]        install the Debian packages that are missing: what the program needs, or with `all` what every
                    plugin and the tests need
  build [...]       build the program and its plugins in build/ (cmake --build ...)
  run MODEL [...]   build what changed, then run a model: tenon run MODEL ...; at first only what this model needs
  test              build and run all tests, also under the address and undefined behaviour sanitizers
  soak [NAME ...]   build, then run the checks that take up to some hours, or those of these names (tests/soak)
  docs              write the reference blocks of all plugin pages, and the pictures of the READMEs, anew
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

# missing_of PACKAGE ...: those that are not installed.
missing_of() {
    local installed package
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
    for package in "$@"; do
        [[ $'\n'$installed$'\n' == *$'\n'"$package installed"$'\n'* ]] || echo "$package"
    done
}

# deps [all | soak]: the packages of the program, or those of all plugins and tests as well; or what some long checks need.
deps() {
    command -v dpkg-query >/dev/null || return 0 # another system: CMake says what it misses
    local packages=("${first_packages[@]}") missing=() sudo=()
    [ "${1:-}" != all ] || packages+=("${later_packages[@]}")
    [ "${1:-}" != soak ] || packages=("${soak_packages[@]}")
    # the page of `report` is bundled by node; npm may be there without Debian's package
    if [ "${1:-}" = all ] && ! command -v npm >/dev/null; then packages+=(nodejs npm); fi
    mapfile -t missing < <(missing_of "${packages[@]}")
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

# has_new_packages FOLDER: whether a library that was missing when the folder was configured has been installed since.
has_new_packages() {
    local missing
    command -v dpkg-query >/dev/null && [ -f "$root/$1/missing_packages" ] || return 1
    mapfile -t missing <"$root/$1/missing_packages"
    [ ${#missing[@]} -gt 0 ] && [ "$(missing_of "${missing[@]}" | wc -l)" -lt ${#missing[@]} ]
}

# configure PRESET FOLDER: only when it has to; afterwards Ninja notices by itself what changed.
configure() {
    if [ "$renewed" = no ] && [ -f "$root/$2/build.ninja" ] && ! has_new_packages "$2" &&
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

# needed_targets WORD ...: the program and the plugins whose types stand in these words, models or arguments; those are built that
# CMake has not left out.
needed_targets() {
    local names type library packages
    names=$(printf '%s\n' "${first_plugins[@]}" "$@"; cat -- "$1" 2>/dev/null || true)
    names=$(tr -cs 'A-Za-z0-9_' '\n' <<<"$names")
    echo tenon
    while read -r _ type library packages; do
        [ -z "$packages" ] && [[ $'\n'$names$'\n' == *$'\n'"$type"$'\n'* ]] && echo "$library"
    done <"$root/build/plugins.list" | sort -u
}

# The first run builds what its model needs, so far as its text tells; the next command builds the rest.
build_first() {
    local targets
    configure "$([ -n "${CI:-}" ] && echo test || echo release)" build || return 1
    mapfile -t targets < <(needed_targets "$@")
    cmake --build "$root/build" --target "${targets[@]}"
}

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

write_docs() {
    "$root/tests/readme/write_pages.sh" "$root/build/tenon" "$root" &&
        "$root/tests/readme/write_picture.sh" "$root/build/tenon" "$root" "$root/configs/first/spring_damper.png" \
            "$root/configs/studies/damper.png"
}

command=${1:-}
[ $# = 0 ] || shift
case $command in
deps) deps "$@" ;;
build) deps && build "$@" ;;
run)
    [ $# -gt 0 ] || fail "run needs a model: ./build.sh run MODEL"
    deps
    if [ ! -x "$root/build/tenon" ]; then
        echo "building Tenon and what this model uses, once" >&2
        quietly build_first "$@" || fail "the build failed"
        if "$root/build/tenon" check "$1" >/dev/null 2>&1; then exec "$root/build/tenon" run "$@"; fi
    fi
    if [ ! -f "$root/build/program_built" ]; then echo "building all plugins, once" >&2; fi
    quietly build --target program && exec "$root/build/tenon" run "$@"
    ;;
test) deps all && test_all ;;
soak)
    deps all
    (deps soak) || echo "checks that need ${soak_packages[*]} are skipped" >&2
    quietly build --target program && soak "$@"
    ;;
docs) deps all && quietly build --target program && write_docs ;;
bench) deps all && quietly build --target program limits && exec "$root/tests/bench/bench.sh" ;;
install) deps && quietly build --target program && cmake --install "$root/build" --prefix "${1:-/usr/local}" ;;
clean) rm -rf "$root"/build "$root"/build-* ;;
'' | help | -h | --help) usage ;;
*)
    usage >&2
    fail "unknown command '$command'"
    ;;
esac
