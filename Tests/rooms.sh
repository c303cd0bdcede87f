#!/usr/bin/env bash
# Type-checks every prefix of the list of rooms, so that no room uses a later one, and shows what does.
set -u
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 1
. Tests/library.sh
# The order of the rooms: each is a folder of the library, and uses only those before it.
rooms=(
    Support Keys Words Providers Sessions Slots Tables Walking
    Registry Matching Ledger Filling CrossFilling Life Box Reports
)

sources=Sources/ServiceBoxKit

# Every folder is a room of the list, and no file lies beside them.
unlisted=$(
    comm -3 <(printf '%s\n' "${rooms[@]}" Documentation.docc | sort) <(ls "$sources" | sort)
)
if [ -n "$unlisted" ]; then
    printf 'Only in the list of rooms, or only in %s:\n%s\n' "$sources" "$unlisted"
    exit 1
fi

failed=0
files=()
for room in "${rooms[@]}"; do
    while IFS= read -r file; do files+=("$file"); done < <(find "$sources/$room" -name '*.swift')
    if errors=$(swiftc -typecheck -suppress-warnings "${library_flags[@]}" "${files[@]}" 2>&1); then
        printf '  pass  %s\n' "$room"
    else
        # The errors of earlier rooms were shown with those rooms.
        own=$(grep 'error:' <<<"$errors" | sed "s|^.*$sources/||" | grep "^$room/" | sort -u)
        if [ -n "$own" ]; then
            printf '  FAIL  %s\n%s\n' "$room" "$own" | sed '2,$s|^|          |'
        elif [ $failed = 0 ]; then
            printf '  FAIL  %s\n%s\n' "$room" "$errors"
        else
            printf '  FAIL  %s: in earlier rooms alone\n' "$room"
        fi
        failed=1
    fi
done
exit $failed
