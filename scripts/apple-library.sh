#!/bin/bash
# Installs Apple's own server library for Python into .build/apple-library, where the tests look for
# it: with it they also let Apple's code judge what the simulated App Store signs.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
folder=$root/.build/apple-library
[ -x "$folder/bin/python" ] || python3 -m venv "$folder" >&2
"$folder/bin/pip" install --quiet --disable-pip-version-check 'app-store-server-library>=3.1' >&2
"$folder/bin/python" -c 'import appstoreserverlibrary' >&2
