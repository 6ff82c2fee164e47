#!/usr/bin/env bash
# A library that is not there leaves its plugins out, and no others; `tenon plugins` and the message on a type say what to install.
# usage: test_left_out.sh SOURCE_DIR BUILD_DIR
set -euo pipefail

source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python_version=$(pkg-config --modversion python3-embed 2>/dev/null || true)

# configured as if some libraries were not there
said=$(cmake -S "$source" -B "$work/without" -G Ninja -DBUILD_TESTING=OFF -DSUNDIALS_IDA_LIBRARY=OFF -DGSL_LIBRARY=OFF \
    -DMICROHTTPD_INCLUDE=OFF -DMPI_LIBRARY=OFF -DLUA5.4_LIBRARY=OFF "-DPYTHON${python_version}_LIBRARY=OFF")
grep -qF 'plugin ida is left out: not found: sundials_ida (Debian: libsundials-dev)' <<<"$said"
grep -qxF 'solver ida ida libsundials-dev' "$work/without/plugins.list"
grep -qxF 'function spline spline libgsl-dev' "$work/without/plugins.list"
grep -qxF 'executor mpi mpi libopenmpi-dev openmpi-bin' "$work/without/plugins.list"
grep -qxF 'function lua lua liblua5.4-dev' "$work/without/plugins.list"
grep -qxF 'function python python libpython3-dev' "$work/without/plugins.list"
grep -qxF 'solver rk rk' "$work/without/plugins.list"
grep -qF 'tenon watch is left out: libmicrohttpd was not found (Debian: libmicrohttpd-dev)' <<<"$said"
[ "$(cat "$work/without/missing_packages")" = "$(printf 'libgsl-dev\nlibopenmpi-dev\nopenmpi-bin\nliblua5.4-dev\nlibpython3-dev\nlibsundials-dev\nlibmicrohttpd-dev')" ]
targets=$(ninja -C "$work/without" -t targets all)
grep -q '/rk\.so: ' <<<"$targets"
if grep -E '/(ida|gsl_ode|spline|lua|python)\.so: ' <<<"$targets"; then exit 1; fi

# what such a build makes: this one, without these plugins and without one that is not built yet
cp "$build/tenon" "$work"
cp -a "$build/plugins" "$work/plugins"
rm -f "$work"/plugins/{ida,gsl_ode,spline,lua,python,torque,kinematics}.so
find "$work/plugins" -xtype l -delete # links to them
cp "$work/without/plugins.list" "$work"
unset TENON_PLUGINS TENON_PLUGIN_PATH
listed=$("$work/tenon" plugins)
grep -qE '^solver +ida +libsundials-dev$' <<<"$listed"
grep -qE '^solver +gsl_ode +libgsl-dev$' <<<"$listed"
grep -qE '^function +lua +liblua5.4-dev$' <<<"$listed"
grep -qE '^function +python +libpython3-dev$' <<<"$listed"
grep -qE '^element +torque +-$' <<<"$listed"
if grep -E '^solver +rk +(-|lib)' <<<"$listed"; then exit 1; fi
for word in ida:libsundials-dev gsl_ode:libgsl-dev; do
    if told=$("$work/tenon" run "$source/configs/first/spring_damper.toml" --solver "${word%:*}" --out "$work/out" 2>&1); then exit 1; fi
    grep -qF "unknown solver type \`${word%:*}\`: its plugin was left out when Tenon was built, for want of the Debian package ${word#*:}" \
        <<<"$told"
done
sed 's/type = "spring_damper"/type = "torque"/' "$source/configs/first/spring_damper.toml" >"$work/model.toml"
if told=$("$work/tenon" check "$work/model.toml" 2>&1); then exit 1; fi
grep -qF "unknown element type \`torque\`: its plugin is not built yet" <<<"$told"
sed 's/^element = "mass"$/expression = "DX(mass)"/; /^output = "position"$/d' "$source/configs/first/spring_damper.toml" \
    >"$work/model.toml"
if told=$("$work/tenon" check "$work/model.toml" 2>&1); then exit 1; fi
grep -qF "unknown function \`DX\`: its plugin is not built yet" <<<"$told"
for word in py:python:libpython3-dev lua:lua:liblua5.4-dev; do
    IFS=: read -r ending language package <<<"$word"
    : >"$work/law.$ending"
    printf '[[sensor]]\nname = "y"\nexpression = "%s(law)"\n[[signal]]\nname = "law"\ntype = "%s"\nscript = "law.%s"\n' \
        "$language" "$language" "$ending" >"$work/model.toml"
    if told=$("$work/tenon" check "$work/model.toml" --trust 2>&1); then exit 1; fi
    grep -qF "unknown function type \`$language\`: its plugin was left out when Tenon was built, for want of the Debian package $package" \
        <<<"$told"
done

# with all of them nothing is missing
[ -z "$("$build/tenon" plugins | grep '^not built' || true)" ] || [ -s "$build/missing_packages" ]
