import AppStoreModel
import LedgerServer

/// Shows how doubt is treated, and who said so.
struct PolicyShowCommand: Command {
  var usage: Usage {
    Usage(
      "policy show", "Show how doubt and spent credits are treated, who said so, and when.",
      options: [ConfigurationFile.option, Reach.app, Option<Bool>.json],
      example: "clawback policy show", exitCodes: [(.success, "It was shown.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let page = try CatalogSubject(arguments, "policy").ask("GET")
    if arguments[Option<Bool>.json] {
      console.print(json: page)
      return .success
    }
    console.print(
      TextTable(
        header: CatalogTable.policyHeader,
        rows: (page["entries"]?.array ?? []).map(CatalogTable.policyRow)))
    if page["entries"]?.array?.isEmpty != false {
      console.print(
        "None is stated: 60 min of renewal leeway, 'deny' to unknown customers, a 'debt' for credits "
          + "that were spent and refunded.")
    }
    CatalogTable.show(statementsOf: page, on: console)
    return .success
  }
}
