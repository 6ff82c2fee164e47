#!/usr/bin/env bash
# Compiles each header of the SDK by itself, and all together as C17, C++17 and C++20 with every compiler that is there, with the
# warnings that are errors here. The authoring layer is one text, which author.h brings together.
# usage: test_headers.sh SOURCE_DIR
set -euo pipefail

include=$1/sdk/include
warnings=(-Wall -Wextra -Wshadow -Wconversion -Werror -Wno-unused-function)
authoring='tenon/(author|constraint|tangent|results|parameters|turns|scalar|algebra|algebraic|loops|values|context)\.h$'

compile() { # compile COMPILER LANGUAGE STANDARD: standard input
    "$1" -x "$2" -std="$3" "${warnings[@]}" -I"$include" -fsyntax-only -
}

headers=$(cd "$include" && ls tenon/*.h tenon/element/*.h tenon/marker/*.h tenon/draft/*.h tenon/kit/*.h)
printf '#include <gsl/gsl_errno.h>\n' | compile cc c gnu17 2>/dev/null || headers=$(grep -v gsl_errors <<<"$headers")
for header in $headers; do # but for that of the differentiating passes
    [ "$header" = tenon/tangent.h ] || printf '#include <%s>\n' "$header" | compile cc c gnu17
done
plain=$(grep -Ev "$authoring|/kit/" <<<"$headers")
for pair in "gcc c c17" "clang c c17" "g++ c++ c++17" "g++ c++ c++20" "clang++ c++ c++17" "clang++ c++ c++20"; do
    read -r compiler language standard <<<"$pair"
    command -v "$compiler" >/dev/null || continue
    # shellcheck disable=SC2086 # a word for each header
    printf '#include <%s>\n' $plain | compile "$compiler" "$language" "$standard"
done
