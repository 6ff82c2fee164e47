#!/usr/bin/env bash
# What was built is linked as it should be (check_binaries.sh), and compiled with guards and checked copies.
# usage: test_binaries.sh BUILD_DIR
set -euo pipefail

build=$1
"$(dirname "$0")/check_binaries.sh" "$build/tenon" "$build"/libtenon.so.*.*.* "$build/plugins" # not what other tests build meanwhile

guards=(-fstack-protector)
grep -q '^CMAKE_BUILD_TYPE:[A-Z]*=Debug' "$build/CMakeCache.txt" || guards+=(-D_FORTIFY_SOURCE=2)
for guard in "${guards[@]}"; do
    if grep '"command"' "$build/compile_commands.json" | grep -E '/(kernel|plugins)/' | grep -v -e "$guard" >&2; then
        echo "compiled without $guard" >&2
        exit 1
    fi
done
[[ $(readelf -W --dyn-syms "$build/tenon") == *__stack_chk_fail* ]]

# the library exports what its header declares, and nothing else
header=$(dirname "$0")/../../sdk/include/tenon/tenon.h
declared=$(grep -A1 '^TENON_API' "$header" | grep -o 'tenon_[a-z_]*(' | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$build/libtenon.so" | awk '{print $3}' | sort -u)
diff <(echo "$declared") <(echo "$exported")
