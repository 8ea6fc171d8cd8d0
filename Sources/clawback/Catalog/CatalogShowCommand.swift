import AppStoreModel
import LedgerServer

/// Shows what one product means, and who said so.
struct CatalogShowCommand: Command {
  var usage: Usage {
    Usage(
      "catalog show", "Show what a product grants, who said so, and when.",
      operands: [CatalogSubject.product],
      options: [ConfigurationFile.option, Reach.app, Option<Bool>.json],
      example: "clawback catalog show com.example.app.pro",
      exitCodes: [(.success, "It was shown."), (.failure, "Nothing is said of such a product.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let page = try CatalogSubject(arguments, "products", arguments[CatalogSubject.product])
      .ask("GET")
    if arguments[Option<Bool>.json] {
      console.print(json: page)
      return .success
    }
    console.print(
      TextTable(
        header: CatalogTable.header, rows: (page["entries"]?.array ?? []).map(CatalogTable.row)))
    CatalogTable.show(statementsOf: page, on: console)
    return .success
  }
}
