# Shared by packaging/run and packaging/check: what is needed, how it is installed, how the program is built.
# Sourced by bash with `set -euo pipefail`; sets `root` and `jobs`.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

build_packages=(build-essential cmake ninja-build ccache pkg-config python3
    qt6-base-dev qt6-base-dev-tools qt6-svg-dev libgl-dev
    libbabeltrace2-dev libzstd-dev zlib1g-dev libarchive-dev liblzma-dev libbz2-dev libseccomp-dev libxxhash-dev libfmt-dev libcli11-dev
    libdw-dev libcapstone-dev libiberty-dev libpugixml-dev libre2-dev libsimdjson-dev libsqlite3-dev libedit-dev libprotozero-dev nettle-dev libtraceevent-dev)
run_packages=(fonts-inter fontconfig x11-utils libtraceevent1-plugin)
test_packages=(clang-16 libclang-rt-16-dev clang-format-14 clang-tidy-16 mold babeltrace2 linux-perf trace-cmd lttng-tools liblttng-ust1 openssh-client openssh-server procps zstd xvfb xauth xdotool imagemagick valgrind
    python3-pandas python3-nbclient python3-ipykernel chromium parallel)

say() { printf '\n== %s\n' "$*" >&2; }
note() { printf '   %s\n' "$*" >&2; }
fail() {
    printf '\nheliograph: %s\n' "$*" >&2
    exit 1
}

# As many compilers as there are cores and memory for: one of them takes up to 1 GiB.
count_jobs() {
    local cores memory
    cores=$(nproc 2>/dev/null || echo 1)
    memory=$(awk '/^MemAvailable:/ {print int($2 / 1048576)}' /proc/meminfo 2>/dev/null || echo 2)
    [ "${memory:-0}" -ge 1 ] || memory=1
    echo $((cores < memory ? cores : memory))
}
jobs=$(count_jobs)

is_debian_like() { command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; }

# The packages of "$@" that are not installed.
missing_packages() {
    local package
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
    done
}

elsewhere() {
    note "This is not a Debian-like system, so nothing is installed here. These are Debian 12's names of what is needed:"
    printf '     %s\n' "$*" >&2
    note "(a C++20 compiler, CMake 3.25, Ninja, Python 3.11, Qt 6.4 with Svg, babeltrace2, zstd, zlib, liblzma, bzip2, libarchive, libseccomp, xxHash, fmt, CLI11, elfutils, capstone, libiberty, pugixml, RE2, nettle, simdjson, SQLite, libedit, protozero, libtraceevent)"
    note "Going on with what is there."
}

# Installs what is missing of "$@", saying what it does.
install_packages() {
    local missing=() as_root=()
    if ! is_debian_like; then
        elsewhere "$@"
        return
    fi
    mapfile -t missing < <(missing_packages "$@")
    if [ ${#missing[@]} -eq 0 ]; then
        note "All ${#} packages that are needed are installed."
        return
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            note "Missing: ${missing[*]}"
            note "Neither root nor sudo: install them yourself with"
            note "  apt-get install --no-install-recommends ${missing[*]}"
            note "Going on with what is there."
            return
        fi
        as_root=(sudo)
    fi
    say "Installing ${#missing[@]} packages with ${as_root[*]:+sudo }apt-get: ${missing[*]}"
    "${as_root[@]}" apt-get update -q >&2 || note "apt-get update failed; trying with the lists that are there."
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >&2 ||
        fail "apt-get could not install ${missing[*]}. Its messages above say why (no network? no such package in this release?)."
}

# Compiles what is not optimized in half the time of g++. The path of clang++; nothing where there is none that knows C++20 well enough.
new_clang() {
    local version
    for version in 19 18 17 16; do
        if command -v "clang++-$version"; then return; fi
    done
}

# forget_compiler PRESET [OPTION...]: what was configured with another compiler than the options say goes: CMake itself would keep it, but for
# the preset's settings.
forget_compiler() {
    local cache=$root/build/$1/CMakeCache.txt option
    for option in "${@:2}"; do
        case $option in
        -DCMAKE_CXX_COMPILER=*)
            if [ -e "$cache" ] && ! grep -q "^CMAKE_CXX_COMPILER:[A-Z]*=${option#*=}\$" "$cache"; then
                note "build/$1 was configured with another compiler: it begins anew."
                rm -r "${root:?}/build/$1"
            fi ;;
        esac
    done
}

# configure PRESET [OPTION...]
configure() {
    local preset=$1
    shift
    command -v cmake >/dev/null || fail "cmake is missing: install the packages named above and try again."
    command -v ninja >/dev/null || fail "ninja is missing: install the packages named above and try again."
    say "Configuring (preset $preset, into build/$preset)"
    forget_compiler "$preset" "$@"
    # What is built for the first time is built as a whole: with the files of a folder compiled together that takes much less time.
    [ "$preset" = separate ] || [ -e "$root/build/$preset/CMakeCache.txt" ] || set -- -DHELIO_JOIN=ON "$@"
    (cd "$root" && cmake --preset "$preset" "$@" >&2) ||
        fail "CMake could not configure preset $preset. Its messages above name what is missing."
}

# build PRESET TARGET...
build() {
    local preset=$1
    shift
    say "Building $* (preset $preset, $jobs jobs)"
    (cd "$root" && cmake --build --preset "$preset" -j "$jobs" --target "$@" >&2) ||
        fail "The build of $* failed (preset $preset). The first error above is the one to look at."
}
