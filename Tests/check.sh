#!/usr/bin/env bash
# Runs every gate, from the quickest answer to the slowest, and says which one failed.
#
# Each kind of build has a folder of its own, so that the gates do not undo each other's work.
set -u
cd "$(dirname "$0")/.." || exit 1

run_tests() { swift test; }

lint_format() { swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples; }

build_without_warnings() {
    swift build --build-tests --scratch-path .build-strict -Xswiftc -warnings-as-errors
}

run_release_tests() { swift test -c release --scratch-path .build-release; }

run_thread_sanitizer() { swift test --sanitize=thread --scratch-path .build-thread; }

# Foundation belongs in examples and tests; the libraries need the standard library alone.
check_imports() {
    ! grep -rnE '^\s*(public |package |internal |@preconcurrency )*import Foundation' Sources
}

build_documentation() {
    local graphs=.build-docs/graphs
    rm -rf .build-docs && mkdir -p "$graphs" &&
        swift build --target ServiceBoxKit --scratch-path .build-docs \
            -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$PWD/$graphs" &&
        find "$graphs" -name '*.symbols.json' ! -name 'ServiceBoxKit*' -delete &&
        docc convert Sources/ServiceBoxKit/Documentation.docc --warnings-as-errors \
            --fallback-display-name ServiceBoxKit --fallback-bundle-identifier ServiceBoxKit \
            --additional-symbol-graph-dir "$graphs" --output-path .build-docs/ServiceBoxKit.doccarchive
}

failed=()
gate() {
    local name=$1 started=$SECONDS
    shift
    printf '\n== %s\n' "$name"
    if "$@"; then
        printf '== %s: passed in %d s\n' "$name" $((SECONDS - started))
    else
        printf '== %s: FAILED after %d s\n' "$name" $((SECONDS - started))
        failed+=("$name")
    fi
}

gate "tests" run_tests
gate "format" lint_format
gate "imports" check_imports
gate "warnings as errors" build_without_warnings
gate "documentation" build_documentation
gate "release tests" run_release_tests
gate "thread sanitizer" run_thread_sanitizer

if [ ${#failed[@]} -gt 0 ]; then
    printf '\nFailed gates:\n'
    printf '  %s\n' "${failed[@]}"
    exit 1
fi
printf '\nAll gates passed in %d s.\n' "$SECONDS"
