#!/bin/bash
# Installs Apple's own server library for Python and that of Standard Webhooks into
# .build/apple-library, where the tests look for them: with them they also let Apple's code judge what
# the simulated App Store signs, and the standard's what the server signs.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
folder=$root/.build/apple-library
. "$root/scripts/prepare.sh"

# Debian's Python comes without ensurepip, and a new machine without Python.
python3 -c 'import ensurepip' 2>/dev/null || find_packages python3 python3-venv
[ -x "$folder/bin/pip" ] || python3 -m venv --clear "$folder" >&2
"$folder/bin/pip" install --quiet --disable-pip-version-check 'app-store-server-library>=3.1' \
  'standardwebhooks>=1.0' >&2
"$folder/bin/python" -c 'import appstoreserverlibrary, standardwebhooks' >&2
