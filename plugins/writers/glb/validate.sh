#!/usr/bin/env bash
# Validates scenes by the glTF validator of Khronos, an npm package that is fetched once into BUILD_DIR.
# usage: validate.sh FOLDER BUILD_DIR. Exit status 77 after a message where it cannot be had, and nothing is validated.
set -euo pipefail

here=$(cd "${0%/*}/validator" && pwd) folder=$1 modules=$2/gltf_validator
for program in node npm; do
    command -v $program >/dev/null || { echo "the scene is not validated: there is no $program" >&2; exit 77; }
done
if ! [ -f "$modules/node_modules/gltf-validator/package.json" ]; then
    mkdir -p "$modules"
    cp "$here"/package*.json "$modules"
    npm ci --prefix "$modules" --ignore-scripts --no-audit --no-fund >"$modules/log" 2>&1 ||
        { echo "the scene is not validated: npm cannot fetch gltf-validator ($modules/log)" >&2; exit 77; }
fi
node "$here/validate.js" "$modules/node_modules" "$folder"/*.glb
