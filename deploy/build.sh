#!/bin/sh
# Build Fifteen Two into a new virtual environment: sh deploy/build.sh /opt/fifteentwo
# Each package has the version and the hash of the lock. The manual and the wheel are
# built with packages that are not left there.
set -eu
cd "$(dirname "$0")/.."
python=$1/bin/python
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

python3 -m venv "$1"
# Of the whole lock only the packages of the extras "postgres" and "fast".
sed -n -E '/^(psycopg|numba|llvmlite)/,/[^\\]$/p' constraints.txt > "$temporary/extras.txt"
"$python" -m pip install --require-hashes -r constraints-play.txt
"$python" -m pip install --no-deps --require-hashes -r "$temporary/extras.txt"
"$python" -m pip install --require-hashes -r constraints-build.txt --target "$temporary/build"
PYTHONPATH=$temporary/build:src "$python" docs/site/manual.py
PYTHONPATH=$temporary/build "$python" -m pip install --no-deps --no-build-isolation .
