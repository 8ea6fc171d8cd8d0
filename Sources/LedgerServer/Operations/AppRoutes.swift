import HTTPListener
import AppStoreModel
import EntitlementLedger

/// The apps and their catalogs, as the configuration states them.
struct AppRoutes {
  let configuration: Configuration

  var routes: [Route] {
    [
      Route.get("/v1/apps", .readers) { [configuration] call throws(Problem) in
        var writer = JSONWriter()
        writer.object { writer in
          writer.name("apps")
          writer.array { writer in
            for app in configuration.apps where call.key?.bundleIds.contains(app.bundleId) == true {
              writer.app(app)
            }
          }
        }
        return .json(writer.bytes)
      },
      Route.get("/v1/apps/{bundleId}", .readers) { [self] call throws(Problem) in
        var writer = JSONWriter()
        writer.app(try app(call))
        return .json(writer.bytes)
      },
      Route.get("/v1/apps/{bundleId}/products/{productId}", .readers) {
        [self] call throws(Problem) in
        let entries = try app(call).catalog.filter { $0.productId == call["productId"] }
        guard !entries.isEmpty else { throw Problem(.unknownProduct) }
        var writer = JSONWriter()
        writer.object { writer in
          writer.member("productId", call["productId"])
          writer.name("entries")
          writer.array { writer in for entry in entries { writer.product(entry) } }
        }
        return .json(writer.bytes)
      },
    ]
  }

  private func app(_ call: Call) throws(Problem) -> Configuration.App {
    guard call.key?.bundleIds.contains(call["bundleId"]) == true else {
      throw Problem(.appForbidden)
    }
    guard let app = configuration.app(call["bundleId"]) else { throw Problem(.unknownApp) }
    return app
  }
}

extension JSONWriter {
  fileprivate mutating func app(_ app: Configuration.App) {
    object { writer in
      writer.member("bundleId", app.bundleId)
      writer.member("appAppleId", app.appAppleId)
      writer.name("products")
      writer.array { writer in for entry in app.catalog { writer.product(entry) } }
    }
  }

  fileprivate mutating func product(_ entry: CatalogEntry) {
    object { writer in
      writer.member("productId", entry.productId)
      writer.name("entitlements")
      writer.array { writer in for name in entry.entitlements { writer.string(name) } }
      writer.member("type", entry.typeHint?.rawValue)
      writer.member("lengthMs", entry.length?.milliseconds)
      writer.member("creditsPerUnit", entry.creditsPerUnit)
      if entry.creditsPerUnit != nil { writer.member("creditUnit", entry.creditUnit) }
      writer.member("familyShareable", entry.isFamilyShareable)
      if entry.effectiveFrom != .distantPast {
        writer.member("effectiveFromMs", entry.effectiveFrom.millisecondsSince1970)
      }
    }
  }
}
