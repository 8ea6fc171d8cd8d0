import AppStoreModel
import LedgerServer

/// Shows clusters of refunds for a fault of the app.
struct ReportClustersCommand: Command {
  var usage: Usage {
    Usage(
      "report clusters", "Show where refunds for a fault of the app came close together.",
      discussion: """
        The running server looks every ten minutes, and tells each cluster once as an event. It compares \
        products, versions, storefronts and weeks of purchase with their own base rate.
        """,
      options: ReportQuestion.options + [Option<Bool>.json],
      example: "clawback report clusters",
      exitCodes: [(.success, "They were shown, or there are none.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    try ReportQuestion.answer(arguments, "report.clusters", list: "clusters", on: console, show)
  }

  private func show(_ answer: JSONValue, on console: Console) {
    let clusters = answer["clusters"]?.array ?? []
    console.print(answer.heading)
    if clusters.isEmpty { console.print("  no clusters") }
    for cluster in clusters {
      let day = cluster["lastDay"]?.string ?? ""
      console.print(
        "  \(day)  \(cluster["summary"]?.string ?? ""), a chance of one in "
          + "\(cluster["oneIn"]?.integer ?? 0)")
    }
  }
}
