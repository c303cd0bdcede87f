#!/usr/bin/env bash
# Runs every gate, two at a time, and says which one failed.
#
# Each kind of build has its own folder, so that the gates don't undo each other's work.
set -u
cd "$(dirname "$0")/.." || exit 1

run_tests() { swift test; }

lint_format() { swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples; }

# The tests of the sanitizers' gates; skips those that compile other programs, which are the same whatever runs them.
sanitized_tests() { SANITIZED_TESTS=1 swift test --skip 'MisspeltTests/answers|SetterIsolationTests/captures' "$@"; }

# The library as optimised as it is shipped. No leak detection: only the Swift runtime can follow the pointers to what
# weak references allocate, and tests check that nothing leaks.
run_release_tests() {
    ASAN_OPTIONS=detect_leaks=0 sanitized_tests -c release --sanitize=address --scratch-path .build-address
}

# A build of its own in any case, so warnings are looked for here.
run_thread_sanitizer() {
    sanitized_tests --sanitize=thread --scratch-path .build-thread -Xswiftc -warnings-as-errors
}

# The server is a package of its own, since it needs two libraries of the system.
check_server() {
    if ! pkg-config --exists libmicrohttpd sqlite3; then
        echo "Skipped: libmicrohttpd and SQLite aren't installed; Examples/Bookmarks/README.md says how they are."
        return
    fi
    (cd Examples/Bookmarks && swift test -Xswiftc -warnings-as-errors && ./load --short)
}

# Examples, tests, samples in articles and the test help may use Foundation; the library needs only the standard library.
check_imports() {
    ! grep -rnE --include='*.swift' '^\s*(public |package |internal |@preconcurrency )*import Foundation' Sources/ServiceBoxKit
}

# From what the first gate has built.
build_documentation() {
    swift package dump-symbol-graph --minimum-access-level public || return
    local graphs
    graphs=$(swift build --show-bin-path)/../symbolgraph
    document "$graphs" ServiceBoxKit Sources/ServiceBoxKit/Documentation.docc && document "$graphs" ServiceBoxTesting
}

# The documentation of one module, with its catalogue if it has one: document GRAPHS MODULE [CATALOGUE]
document() {
    local graphs=$1 module=$2 own=.build-docs/$2
    rm -rf "$own" && mkdir -p "$own" &&
        find "$graphs" \( -name "$module.symbols.json" -o -name "$module@*" \) -exec cp {} "$own" \; &&
        docc convert "${@:3}" --warnings-as-errors \
            --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
            --additional-symbol-graph-dir "$own" --output-path ".build-docs/$module.doccarchive"
}

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

gate() {
    local name=$1 started=$SECONDS
    shift
    printf '\n== %s\n' "$name"
    if "$@"; then
        printf '== %s: passed in %d s\n' "$name" $((SECONDS - started))
    else
        printf '== %s: FAILED after %d s\n' "$name" $((SECONDS - started))
        printf '  %s\n' "$name" >>"$results/failed"
    fi
}

# Optimising a module keeps one core busy, so two gates at a time take little longer than one. What these say is shown
# when the others have ended.
{
    gate "release tests, address sanitizer" run_release_tests
    gate "thread sanitizer, warnings as errors" run_thread_sanitizer
} >"$results/log" 2>&1 &

gate "tests" run_tests
gate "format" lint_format
gate "imports" check_imports
gate "rooms" Tests/rooms.sh
gate "documentation" build_documentation
gate "clients" Tests/clients.sh
gate "server" check_server
wait
cat "$results/log"

if [ -e "$results/failed" ]; then
    printf '\nFailed gates:\n'
    cat "$results/failed"
    exit 1
fi
printf '\nAll gates passed in %d s.\n' "$SECONDS"
