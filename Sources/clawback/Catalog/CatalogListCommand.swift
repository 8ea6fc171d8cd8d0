import AppStoreModel
import LedgerServer

/// Lists what products mean.
struct CatalogListCommand: Command {
  private let app = Option<String?>.text("app", "BUNDLE-ID", "Only this app.")

  var usage: Usage {
    Usage(
      "catalog list", "List what each product grants, as it counts now.",
      options: [ConfigurationFile.option, app, Option<Bool>.json],
      example: "clawback catalog list", exitCodes: [(.success, "They were listed.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let apps = (try LedgerRoutes(arguments).ask("GET", ["apps"])["apps"]?.array ?? [])
      .filter { arguments[app] == nil || $0["bundleId"]?.string == arguments[app] }
    if arguments[Option<Bool>.json] {
      console.print(json: .object([.init("apps", .array(apps))]))
      return .success
    }
    let rows = apps.flatMap { app in
      (app["products"]?.array ?? []).map { [app.cell("bundleId")] + CatalogTable.row($0) }
    }
    console.print(TextTable(header: ["app"] + CatalogTable.header, rows: rows))
    if rows.isEmpty {
      console.note("No product is listed: each grants an entitlement of its own id.")
    }
    return .success
  }
}
