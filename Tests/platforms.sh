#!/usr/bin/env bash
# Compiles the library as for other systems, up to where machine code is made.
#
# Modules in Tests/Platforms stand for their C libraries. So what doesn't compile there shows, not what it does.
set -u
cd "$(dirname "$0")/.." || exit 1
. Tests/library.sh
out=$PWD/.build-platforms

# Compiles the library with the module that stands for a C library: compiles MODULE
compiles() {
    local folder=$out/$1
    mkdir -p "$folder" && cp -R Sources/ServiceBoxKit "$folder" || return
    # Where the stand-in imports it, this system's could be imported too.
    grep -rl --null 'canImport(Glibc)' "$folder/ServiceBoxKit" | xargs -0 sed -i.bak 's/canImport(Glibc)/false/' || return
    local file sources=()
    while IFS= read -r file; do sources+=("$file"); done < <(find "$folder/ServiceBoxKit" -name '*.swift')
    swiftc -emit-module -parse-as-library -swift-version 6 -module-name "$1" \
        -o "$folder/$1.swiftmodule" "Tests/Platforms/$1.swift" &&
        swiftc -emit-sil -o /dev/null -Onone -warnings-as-errors -I "$folder" \
            "${library_flags[@]}" "${sources[@]}"
}

rm -rf "$out"
failed=0
for platform in Tests/Platforms/*.swift; do
    platform=$(basename "$platform" .swift)
    if compiles "$platform"; then
        printf '  pass  %s\n' "$platform"
    else
        printf '  FAIL  %s\n' "$platform"
        failed=1
    fi
done
exit $failed
