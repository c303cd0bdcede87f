# How the scripts that compile the library by itself do so; they include this at the root of the repository.

# The rooms and what else is in the module, as absolute paths.
library_sources=()
while IFS= read -r file; do library_sources+=("$PWD/$file"); done < <(find Sources/ServiceBoxKit -name '*.swift')

# What the manifest has the library built with.
library_flags=(-swift-version 6 -package-name servicebox -module-name ServiceBoxKit -parse-as-library -wmo)
while IFS= read -r feature; do
    library_flags+=(-enable-upcoming-feature "$feature")
done < <(sed -n 's/.*enableUpcomingFeature("\(.*\)"),.*/\1/p' Package.swift)
