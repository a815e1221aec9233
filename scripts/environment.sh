# Sourced by the other scripts: an environment in .venv with the project and the extras that are named.
# shellcheck shell=bash

environment() {
  local extras=$1
  local python=${PYTHON:-python3}
  local mark=.venv/installed-$extras
  if [ -f "$mark" ] && [ "$mark" -nt pyproject.toml ]; then
    return
  fi
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "cachespec needs Python 3.11 or newer; name one with PYTHON=..." >&2
    return 1
  }
  echo "setting up .venv (once)" >&2
  [ -x .venv/bin/python ] || "$python" -m venv .venv
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".${extras:+[$extras]}" || return
  touch "$mark"
}
