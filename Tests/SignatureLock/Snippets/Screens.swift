import EntitlementKit
import SwiftUI

// What an app has around the snippets that show screens.

struct ProScreen: View {
  var body: some View { Text("Pro") }
}

struct Paywall: View {
  let entitlement: Entitlement

  init(_ entitlement: Entitlement) { self.entitlement = entitlement }

  var body: some View { Text(entitlement.id) }
}
