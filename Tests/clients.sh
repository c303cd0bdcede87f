#!/usr/bin/env bash
# Builds a client of the library in every way in which clients are built, runs it, and says which way failed.
#
# The client lies in Tests/Clients and checks what it gets. Ways that differ in the client's flags alone share one
# library, since optimising one takes longer than all else. The compiler alone builds them: what SwiftPM makes of a
# release shows in the release tests and the server. With a word, only the ways are taken whose names contain it:
# Tests/clients.sh evolution
set -u
cd "$(dirname "$0")/.." || exit 1
. Tests/library.sh
out=$PWD/.build-clients
wanted=${1-}
client_sources=("$PWD"/Tests/Clients/*.swift)

# Builds the library as a module and an archive, once: library NAME FLAG...
library() {
    local folder=$out/$1
    shift
    [ -e "$folder/built" ] && return
    mkdir -p "$folder" && (cd "$folder" && swiftc -emit-library -static -o libServiceBoxKit.a -emit-module \
        -num-threads 2 -warnings-as-errors "${library_flags[@]}" "$@" "${library_sources[@]}") && touch "$folder/built"
}

# Builds a client that is linked with a library: client LIBRARY FLAG...
client() {
    local library=$out/$1
    shift
    swiftc -o "$out/client" -module-name Client -parse-as-library -wmo -warnings-as-errors \
        -I "$library" -L "$library" -lServiceBoxKit "$@" "${client_sources[@]}"
}

# For size: the release tests and the server have the library optimised for speed.
size() {
    library size -Osize -cross-module-optimization && client size -O -swift-version 6 "$@" && "$out/client"
}

# Not optimised: what a program may not share with the library's names and isolation shows without.
one_module() {
    swiftc -o "$out/client" -Onone -num-threads 2 -warnings-as-errors "${library_flags[@]}" -module-name Client \
        "${library_sources[@]}" "${client_sources[@]}" && "$out/client"
}

# The client sees the textual interface alone, and links a library that could be replaced by a later one. Neither is
# optimised: what one may not know of the other shows without.
evolution() {
    local folder=$out/evolution
    mkdir -p "$folder/module" && (cd "$folder" && swiftc -emit-library -module-link-name ServiceBoxKit \
        -emit-module-path module/ServiceBoxKit.swiftmodule -enable-library-evolution \
        -emit-module-interface-path ServiceBoxKit.swiftinterface -Onone -num-threads 2 -warnings-as-errors \
        "${library_flags[@]}" "${library_sources[@]}") &&
        client evolution -Onone -swift-version 6 -module-cache-path "$folder/cache" \
            -Xlinker -rpath -Xlinker "$folder" && "$out/client"
}

# The whole program is built without something that reflection sees: stripped WHAT
stripped() {
    library "without-$1" -Onone -Xfrontend "-disable-reflection-$1" &&
        client "without-$1" -Onone -Xfrontend "-disable-reflection-$1" && "$out/client" "without-$1"
}

taken=0
failed=()
# Builds and runs the client in one way; why it failed is shown, and where all is that was said: way NAME COMMAND...
way() {
    local name=$1 started=$SECONDS log=$out/${1// /-}.log
    [[ $name == *"$wanted"* ]] || return
    taken=$((taken + 1))
    shift
    rm -f "$out/client"
    if "$@" >"$log" 2>&1; then
        printf '  pass %4d s  %s\n' $((SECONDS - started)) "$name"
    else
        printf '  FAIL %4d s  %s\n' $((SECONDS - started)) "$name"
        grep -m 20 -E 'error:|^Assertion|^Fatal|^Not so' "$log" || tail -n 20 "$log"
        printf '             %s\n' "$log"
        failed+=("$name")
    fi
}

rm -rf "$out" && mkdir -p "$out"

way "-Osize, cross-module optimisation" size
way "static standard library" size -static-stdlib
way "Swift 5 mode" size -swift-version 5
way "main-actor default isolation" size -default-isolation MainActor
way "strict memory safety" size -strict-memory-safety
way "one module with the library" one_module
way "library evolution" evolution
way "-disable-reflection-names" stripped names
way "-disable-reflection-metadata" stripped metadata

if [ $taken = 0 ]; then
    printf "No way has '%s' in its name.\n" "$wanted"
    exit 1
fi
if [ ${#failed[@]} -gt 0 ]; then
    printf 'Ways in which the client failed:\n'
    printf '  %s\n' "${failed[@]}"
    exit 1
fi
