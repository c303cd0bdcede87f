#!/usr/bin/env bash
# Runs every gate, two at a time, and says which one failed.
#
# Each kind of build has its own folder, so that the gates don't undo each other's work.
set -u
cd "$(dirname "$0")/.." || exit 1
. Tests/library.sh

run_tests() { swift test; }

lint_format() { swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples; }

# These tests compile other programs, which are the same whatever runs them.
compiling_tests='MisspeltTests/answers|SetterIsolationTests/captures'

# What the first gate has built, with the library as optimised as it is shipped, and watched: to compile all tests again
# would take longer than all else here. No leak detection: only the Swift runtime can follow the pointers to what weak
# references allocate, and tests check that nothing leaks.
run_release_tests() {
    local built out=.build-address
    built=$(swift build --show-bin-path) && rm -rf "$out" && mkdir "$out" || return
    swiftc -emit-object -o "$out/ServiceBoxKit.o" -O -sanitize=address -enable-testing \
        "${library_flags[@]}" "${library_sources[@]}" &&
        clang -c -o "$out/HeapCount.o" -fsanitize=address -I Tests/HeapCount/include Tests/HeapCount/HeapCount.c &&
        grep -vE '/(ServiceBoxKit|HeapCount)\.build/' \
            "$built/ServiceBoxPackageTests.product/Objects.LinkFileList" >"$out/objects" || return
    # Beside the examples, which tests start.
    swiftc -o "$built/release-tests" -sanitize=address -suppress-warnings "@$out/objects" "$out"/*.o &&
        ASAN_OPTIONS=detect_leaks=0 "$built/release-tests" --testing-library swift-testing --skip "$compiling_tests"
}

# A build of its own in any case, so warnings are looked for here. Left out is what can't race: texts, other programs,
# and files that neither start a task or thread nor have the library start one. (A thread with a small stack is awaited.)
run_thread_sanitizer() {
    EXCLUDED_TESTS=$(
        cd Tests/ServiceBoxKitTests && printf '%s\n' Documentation Examples Questions Words &&
            grep -rLE --include='*Tests.swift' \
                'async let|TaskGroup|Task \{|Task\.|\bonThreads?\b|\bThread \{|await .*(prepare|start|stop|withChild)\(' *
    ) swift test --sanitize=thread --scratch-path .build-thread -Xswiftc -warnings-as-errors \
        --skip "$compiling_tests"
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
    # Found: 0; nothing: 1; not searched: 2.
    grep -rnE --include='*.swift' '^[^/"]*\<import ([a-z]+ )?Foundation' Sources/ServiceBoxKit
    [ $? = 1 ]
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

results=$(mktemp -d) || exit
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
    gate "thread sanitizer, warnings as errors" run_thread_sanitizer
    gate "clients" Tests/clients.sh
    gate "server" check_server
} >"$results/log" 2>&1 &
background=$!

gate "tests" run_tests
gate "release tests, address sanitizer" run_release_tests
gate "format" lint_format
gate "imports" check_imports
gate "rooms" Tests/rooms.sh
gate "platforms" Tests/platforms.sh
gate "documentation" build_documentation
wait $background || printf '  those in the background\n' >>"$results/failed"
cat "$results/log"

if [ -e "$results/failed" ]; then
    printf '\nFailed gates:\n'
    cat "$results/failed"
    exit 1
fi
printf '\nAll gates passed in %d s.\n' "$SECONDS"
