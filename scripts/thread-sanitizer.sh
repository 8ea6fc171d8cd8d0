#!/bin/bash
# Runs the tests of the app's side under the thread sanitizer, in a package of their own that has only
# their targets: the server and its libraries need not be built again for it.
#
#   scripts/thread-sanitizer.sh [--filter NAME]    further words go to swift test
#
# Optimized, so that ten thousand lives of a device (CLAWBACK_DEVICES=10000) need minutes and no hour.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
cd "$root"
. scripts/prepare.sh
find_swift

package=.build/thread-sanitizer
mkdir -p "$package"/{Sources,Tests}
for target in AppStoreModel EntitlementLedger StoreKit EntitlementKit EntitlementKitTesting \
  AppStoreSimulator; do
  ln -sfn "$root/Sources/$target" "$package/Sources/$target"
done
for target in ChanceSupport EntitlementKitTests; do
  ln -sfn "$root/Tests/$target" "$package/Tests/$target"
done
cat >"$package/Package.swift" <<'END'
// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "clawback",
  targets: [
    .target(name: "AppStoreModel", swiftSettings: settings),
    .target(name: "EntitlementLedger", dependencies: ["AppStoreModel"], swiftSettings: settings),
    .target(name: "StoreKit", swiftSettings: settings),
    .target(
      name: "EntitlementKit", dependencies: ["AppStoreModel", "EntitlementLedger", "StoreKit"],
      swiftSettings: settings),
    .target(
      name: "EntitlementKitTesting",
      dependencies: ["AppStoreModel", "EntitlementKit", "StoreKit"], swiftSettings: settings),
    // Of the simulator only what the tests' dice need.
    .target(
      name: "AppStoreSimulator",
      sources: ["Store/SeededGenerator.swift", "Signing/Hexadecimal.swift"],
      swiftSettings: settings),
    .target(
      name: "ChanceSupport", dependencies: ["AppStoreModel", "AppStoreSimulator"],
      path: "Tests/ChanceSupport", swiftSettings: settings),
    .testTarget(
      name: "EntitlementKitTests",
      dependencies: [
        "AppStoreModel", "EntitlementLedger", "EntitlementKit", "EntitlementKitTesting", "StoreKit",
        "ChanceSupport",
      ], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
END
say "Building and testing the app's side under the thread sanitizer."
swift test --package-path "$package" -c release --sanitize thread "$@" </dev/null
