import HTTPListener
import AppStoreModel
import EntitlementLedger
import LedgerStorage

/// The apps that the configuration states, with the catalogs and policies in force.
struct AppRoutes {
  let configuration: Configuration
  let readers: ReaderPool

  var routes: [Route] {
    [
      Route.get("/v1/apps", .readers) { [self] call throws(Problem) in
        let rules = try CatalogPage.rules(in: readers)
        var writer = JSONWriter()
        writer.object { writer in
          writer.name("apps")
          writer.array { writer in
            for app in configuration.apps where call.key?.bundleIds.contains(app.bundleId) == true {
              writer.app(app, rules)
            }
          }
        }
        return .json(writer.bytes)
      },
      Route.get("/v1/apps/{bundleId}", .readers) { [self] call throws(Problem) in
        let app = try call.app(of: configuration)
        let rules = try CatalogPage.rules(in: readers)
        var writer = JSONWriter()
        writer.app(app, rules)
        return .json(writer.bytes)
      },
    ]
  }
}

extension Call {
  /// The configured app that the path names.
  func app(of configuration: Configuration) throws(Problem) -> Configuration.App {
    guard key?.bundleIds.contains(self["bundleId"]) == true else {
      throw Problem(.appForbidden)
    }
    guard let app = configuration.app(self["bundleId"]) else { throw Problem(.unknownApp) }
    return app
  }
}

extension JSONWriter {
  fileprivate mutating func app(_ app: Configuration.App, _ rules: LedgerRules) {
    let catalog = rules.catalog(app.bundleId)
    object { writer in
      writer.member("bundleId", app.bundleId)
      writer.member("appAppleId", app.appAppleId)
      writer.name("products")
      writer.array { writer in
        for productId in catalog.productIds {
          let key = StatedRules.Key(bundleId: app.bundleId, subject: .product(productId))
          for entry in catalog.entries(of: productId) {
            writer.product(entry, source: rules.source(of: key))
          }
        }
      }
    }
  }
}
