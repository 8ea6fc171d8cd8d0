#!/bin/bash
# Checks what ships to phones as far as Linux can:
#
#   - the kit's sources, as for a release, against Apple's declarations, where every enum that Apple may
#     extend counts as one that grows: a missing `@unknown default` fails;
#   - that the stand-in for StoreKit declares what Apple does, no less and no more;
#   - that what must not compile does not;
#   - that a package which uses only the kit builds without a server target or a system library.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
cd "$root"
. scripts/prepare.sh
find_swift
work=.build/app-side
mkdir -p "$work"/{apple,ours,modules,release,ui,screens}

say "Checking the app's side against Apple's declarations."
features=(-swift-version 6 -package-name clawback -enable-upcoming-feature ExistentialAny
  -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature InternalImportsByDefault)
sources() { find "Sources/$1" -name '*.swift' | sort; }
module() { # NAME FOLDER [OPTION…]
  # shellcheck disable=SC2046
  swiftc -emit-module -emit-module-path "$2/$1.swiftmodule" -module-name "$1" -parse-as-library \
    "${features[@]}" "${@:3}" $(sources "$1")
}

declared() { # NAME FILE FOLDER [IMPORT…]: a module of declarations only
  {
    echo "// swift-interface-format-version: 1.0"
    echo "// swift-compiler-version: $(swiftc --version 2>/dev/null | head -n 1)"
    echo "// swift-module-flags: -enable-library-evolution -swift-version 5 -module-name $1"
    printf '%s\n' "import Swift" "import _Concurrency" "${@:4}"
    cat "$2"
  } >"$3/$1.swiftinterface"
  swiftc -frontend -compile-module-from-interface "$3/$1.swiftinterface" -module-name "$1" \
    -I "$3" -I "$work/apple" -o "$3/$1.swiftmodule"
}
declared StoreKit Tests/SignatureLock/StoreKit.swiftinterface "$work/apple" \
  "@_exported import Foundation" "@_exported import FoundationNetworking"

module AppStoreModel "$work/modules"
module EntitlementLedger "$work/modules" -I "$work/modules"
module EntitlementKit "$work/release" -I "$work/apple" -I "$work/modules" -warnings-as-errors

say "Checking the screens against the declarations of Combine and SwiftUI."
ui=Tests/SignatureLock/UI
declared Combine "$ui/Combine.swiftinterface" "$work/ui"
declared SwiftUI "$ui/SwiftUI.swiftinterface" "$work/ui"
declared UIKit "$ui/UIKit.swiftinterface" "$work/ui"
cat Tests/SignatureLock/StoreKit.swiftinterface "$ui/StoreKit+UIKit.swiftinterface" \
  >"$work/ui/StoreKit.text"
declared StoreKit "$work/ui/StoreKit.text" "$work/ui" "import UIKit" \
  "@_exported import Foundation" "@_exported import FoundationNetworking"
declared _StoreKit_SwiftUI "$ui/_StoreKit_SwiftUI.swiftinterface" "$work/ui"
screens=(-I "$work/screens" -I "$work/ui" -I "$work/apple" -I "$work/modules")
module EntitlementKit "$work/screens" "${screens[@]}" -warnings-as-errors
example_module() { # NAME
  # shellcheck disable=SC2046
  swiftc -emit-module -emit-module-path "$work/screens/$1.swiftmodule" -module-name "$1" \
    -parse-as-library -swift-version 6 "${screens[@]}" -warnings-as-errors \
    $(find "Examples/GateApp/Sources/$1" -name '*.swift')
}
example_module GateCore
example_module GateUI

refused() { # FILE: it says itself with which words the compiler refuses it
  local said wanted
  wanted=$(sed -n 's|^// The compiler says: ||p' "$1")
  [ -n "$wanted" ] || give_up "$1 does not say what the compiler says."
  if said=$(swiftc -typecheck "${features[@]}" -I "$work/apple" -I "$work/modules" \
    -I "$work/release" "$1" 2>&1); then
    give_up "$1 compiles, and must not."
  fi
  [[ $said == *"$wanted"* ]] ||
    { echo "$said" >&2; give_up "$1 is refused with other words than: $wanted"; }
}
for file in Tests/SignatureLock/Refused/*.swift; do refused "$file"; done

module StoreKit "$work/ours" -enable-library-evolution \
  -emit-module-interface-path "$work/ours/StoreKit.swiftinterface" 2>/dev/null
target=$(swiftc -print-target-info | sed -n 's/.*"triple": "\([^"]*\)".*/\1/p' | head -n 1)
# One a line, without the blocks around them, which the tool groups freely, and without what the compiler
# makes of a conformance, which it spells in an interface alone: the conformances are compared.
declarations() { # FOLDER
  swift-synthesize-interface -module-name StoreKit -target "$target" -I "$work/$1" -o "$work/$1.txt"
  sed 's/^ *//' "$work/$1.txt" | grep -vE '^(//|$|}|extension [A-Za-z.]+ \{$)' |
    grep -vE '^public (static func == \(a: |func hash\(into )' | sort
}
diff <(declarations apple) <(declarations ours) ||
  give_up "The stand-in for StoreKit (>) declares something else than Apple (<)."

say "Building a package that uses only the kit."
example=.build/app-side-example
# The plan of an earlier build does not know of files that came into the kit since.
rm -f "$example"/*.yaml
swift build --package-path Examples/GateApp --scratch-path "$example" >"$work/example.log" 2>&1 ||
  { cat "$work/example.log" >&2; give_up "Examples/GateApp does not build."; }
built=$(find "$example"/*/debug/ -path '*/debug/*.build/*' -name '*.o' | sed 's#.*/debug/##; s#\.build/.*##' | grep -vE '^GateCoreTests$|PackageTests$|^GateAppPackage' | sort -u | xargs)
wanted="AppStoreModel EntitlementKit EntitlementKitTesting EntitlementLedger GateCore GateUI StoreKit gate_story"
[ "$built" = "$wanted" ] || give_up "It built: $built" "and should have built: $wanted"
story=$(find "$example"/*/debug/ -maxdepth 1 -name gate-story -type f | head -n 1)
# What it names itself: the toolchain's own Foundation brings libcurl and what that needs.
if objdump -p "$story" | grep NEEDED | grep -E 'crypto|ssl|curl|sqlite|microhttpd'; then
  give_up "The kit pulls in a system library."
fi
diff <("$story") Examples/GateApp/story.txt || give_up "The sample app tells another story (<)."
swift test --package-path Examples/GateApp --scratch-path "$example" >"$work/example.log" 2>&1 ||
  { cat "$work/example.log" >&2; give_up "The sample app's tests have failed."; }

say "Checking the snippets of the README and the articles."
rm -rf "$work/snippets"
mkdir -p "$work"/snippets/{plain,screens}
# One file a snippet: those of SwiftUI are checked against its declarations. Those of the article about
# testing stand in the sample app's tests, as RepositoryTests hold.
awk -v folder="$work/snippets" '
  /^```swift$/ { text = ""; inside = 1; next }
  /^```$/ && inside {
    inside = 0
    isScreen = text ~ /entitlementGate/
    name = sprintf("%s/%s/Snippet%02d.swift", folder, isScreen ? "screens" : "plain", ++count)
    print "import EntitlementKit\nimport Foundation\nimport StoreKit\n" > name
    if (isScreen) print "import SwiftUI\n" > name
    if (!isScreen) print "import EntitlementKitTesting\n" > name
    print "@MainActor func snippet" count "(" > name
    print "  rules: [EntitlementRule], entitlements: Entitlements, server: ReportingServer," > name
    print "  key: String, sandboxKey: String, product: Product" > name
    if (!isScreen) print ", wallet: Wallet, backend: Backend" > name
    print ") async throws {\n  do {\n" text "  }\n}" > name
    close(name)
  }
  inside && /^import / { next }
  inside { sub(/^@main /, ""); text = text $0 "\n" }
' README.md $(ls Sources/EntitlementKit/EntitlementKit.docc/*.md | grep -v /Testing.md)
modules=$(find "$example"/*/debug/Modules -name EntitlementKit.swiftmodule -printf '%h\n' | head -n 1)
checked() { # FOLDER PRELUDE OPTION…
  swiftc -typecheck -swift-version 6 -suppress-warnings "${@:3}" "$2" "$work/snippets/$1"/*.swift ||
    give_up "A snippet of the README or an article does not compile."
}
checked plain Tests/SignatureLock/Snippets/Prelude.swift -I "$modules"
checked screens Tests/SignatureLock/Snippets/Screens.swift "${screens[@]}"
