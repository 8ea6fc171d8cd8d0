# Sourced by ./clawback and ./test: finds the Swift toolchain and the system libraries, installing
# what is missing. Everything it says goes to standard error, and it ends the script with exit code
# 3 when something is missing that cannot be installed.

say() { printf '%s\n' "$*" >&2; }

give_up() {
  say "$@"
  exit 3
}

# The toolchain: from PATH, else where its archive is usually unpacked, or in the folders named.
find_swift() {
  command -v swift >/dev/null && return
  local folder
  [ $# != 0 ] || set -- /opt/swift/usr/bin "$HOME/.local/share/swiftly/bin" /opt/swift*/usr/bin
  for folder in "$@"; do
    if [ -x "$folder/swift" ]; then
      PATH="$folder:$PATH"
      return
    fi
  done
  give_up "There is no Swift toolchain on PATH or in /opt/swift." \
    "Install Swift 6.2 or newer from https://www.swift.org/install/linux/ and run this again."
}

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# The compiler links with the newest GCC that has a folder here, so its two packages must have that
# number. Empty when there is none yet.
installed_gcc() {
  local folder
  for folder in /usr/lib/gcc/*/[0-9]*; do
    [ ! -d "$folder" ] || basename "$folder"
  done | sort --version-sort | tail -n 1
}

newest_gcc() {
  apt-cache pkgnames libgcc- | sed -n 's/^libgcc-\([0-9]*\)-dev$/\1/p' | sort --version-sort |
    tail -n 1
}

needed_packages() {
  printf '%s\n' ca-certificates binutils libc6-dev pkg-config libncurses6 libxml2 tzdata \
    libmicrohttpd-dev libssl-dev libsqlite3-dev libcurl4-openssl-dev "$@"
}

# Names of the packages that are not installed, one a line; "gcc" stands for the compiler's two
# while their number is not known.
missing_packages() {
  local gcc package
  gcc=$(installed_gcc)
  needed_packages "$@" | while read -r package; do
    is_installed "$package" || printf '%s\n' "$package"
  done
  if [ -z "$gcc" ]; then
    echo gcc
  else
    for package in "libgcc-$gcc-dev" "libstdc++-$gcc-dev"; do
      is_installed "$package" || printf '%s\n' "$package"
    done
  fi
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

install_packages() {
  local gcc
  local options=(-qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  # One broken source must not stop the others; what matters is whether the packages are found.
  as_root apt-get "${options[@]}" update </dev/null >&2 || true
  if [[ " $* " == *" gcc "* ]]; then
    gcc=$(newest_gcc)
    set -- "${@/#gcc/libgcc-$gcc-dev}" "libstdc++-$gcc-dev"
  fi
  say "Installing with apt: $*"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install --yes \
    --no-install-recommends "$@" </dev/null >/dev/null ||
    give_up "apt could not install: $*"
}

# Installs the packages this project needs, and those named, unless they are there.
find_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "This is not Debian or Ubuntu, so the system libraries are not checked. Needed are the" \
      "equivalents of: $(needed_packages | xargs) and a C++ standard library."
    return
  fi
  local names missing
  names=$(missing_packages "$@")
  [ -n "$names" ] || return 0
  mapfile -t missing <<<"$names"
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    give_up "These packages are missing, and without root or sudo they cannot be installed here:" \
      "${missing[*]/#gcc/libgcc-N-dev libstdc++-N-dev (N: the newest GCC)}"
  fi
  install_packages "${missing[@]}"
}
