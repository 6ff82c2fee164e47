#!/bin/sh
# Runs test_schema.py with the first Python that has what it needs; without one the test fails.
# usage: test_schema.sh TENON SOURCE_DIR PLUGIN_DIR
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import tomllib; from jsonschema import Draft202012Validator' 2>/dev/null; then
        exec "$python" "$(dirname "$0")/test_schema.py" "$@"
    fi
done
echo "no Python has tomllib and jsonschema: install python3-jsonschema (./build.sh deps does)" >&2
exit 1
