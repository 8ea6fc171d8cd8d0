import AppStoreModel
import EntitlementLedger
import Glibc
import LedgerServer

/// Links customers of before, and walks the history of each purchase.
struct ImportCommand: Command {
  private static let batch = 1_000

  private let file = Operand<String>.required(
    "FILE", "Comma-separated values: transactionId,customer,bundleId.")
  private let config = ConfigurationFile.option
  private let log = LogFile.option

  var usage: Usage {
    Usage(
      "import", "Take over the customers of before: whose each purchase is, and its history.",
      discussion: """
        No endpoint of Apple's lists customers, so a new installation is told them. Each line names \
        one transaction of a purchase and the customer in your own words; its whole history is read \
        from Apple, and it is linked as a backend links. Until then the customer is unknown, which \
        the policy unknownCustomer treats. Interrupted, the same file goes on where it stopped; while \
        a server runs it does the work. Lines that cannot be used are named with their number.
        """,
      operands: [file], options: [config, log, Option<Bool>.json],
      example: "clawback import customers.csv",
      exitCodes: [
        (.success, "Every line was taken."),
        (.failure, "Lines could not be used: each is named with its reason."),
        (.unusable, "The command line, the configuration or the file cannot be used."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let bytes = try InputFile.read(arguments[file], mebibytes: 1_024)
    let rows = try ImportFile(bytes).rows
    let configuration = try ConfigurationFile.read(arguments[config])
    let session = try LedgerSession(configuration, log: try LogFile.open(arguments[log]))
    defer { session.close() }
    LogFile.tell(arguments[log], isServed: session.isServed, on: console)
    let begun = try session.ask(
      "import.begin",
      [
        .init("name", .string(arguments[file])),
        .init("sha256", .string(Fingerprint(of: bytes).hexadecimal)),
      ])
    let id = begun["import"]?.integer ?? 0
    try send(rows, to: session, id)
    try session.start(endsAfterPass: false)
    let answer = try watch(session, id, console)
    let problems = try problems(session, id)
    report(answer, problems, arguments[Option<Bool>.json], console)
    return problems.isEmpty ? .success : .failure
  }

  private func send(
    _ rows: [ImportFile.Row], to session: LedgerSession, _ id: Int64
  ) throws(CommandFailure) {
    var rest = rows[...]
    repeat {
      let batch = rest.prefix(Self.batch)
      rest = rest.dropFirst(Self.batch)
      _ = try session.ask(
        "import.rows",
        [.init("import", .integer(id)), .init("rows", .array(batch.map(Self.json)))])
    } while !rest.isEmpty
  }

  private static func json(_ row: ImportFile.Row) -> JSONValue {
    let cells = (row.cells + ["", "", ""]).prefix(3).map { JSONValue.string($0) }
    return .array([.integer(Int64(row.line))] + cells + [.string(row.problem ?? "")])
  }

  /// Shows how far it has come until no line waits.
  private func watch(
    _ session: LedgerSession, _ id: Int64, _ console: Console
  ) throws(CommandFailure) -> JSONValue {
    var bar = ProgressBar("importing", on: console)
    var told = ToldTrouble(console)
    while true {
      let answer = try session.ask("import.progress", [.init("import", .integer(id))])
      let waiting = answer["waiting"]?.integer ?? 0
      if waiting == 0 {
        bar.finish()
        return answer
      }
      told.tell(answer["trouble"]?.string)
      let rows = answer["rows"]?.integer ?? 0
      let left = Remaining.text(milliseconds: answer["estimateMs"]?.integer ?? 0)
      let words = ["about \(left) left", answer["trouble"]?.string].compactMap { $0 }
      bar.report(Int(rows - waiting), of: Int(rows), words.joined(separator: ", "))
      usleep(200_000)
    }
  }

  private func problems(
    _ session: LedgerSession, _ id: Int64
  ) throws(CommandFailure) -> [JSONValue] {
    var found: [JSONValue] = []
    while true {
      let after = found.last?["line"]?.integer ?? 0
      let page = try session.ask(
        "import.problems", [.init("import", .integer(id)), .init("after", .integer(after))])
      guard let problems = page["problems"]?.array, !problems.isEmpty else { return found }
      found += problems
    }
  }

  private func report(
    _ answer: JSONValue, _ problems: [JSONValue], _ isJSON: Bool, _ console: Console
  ) {
    let rows = answer["rows"]?.integer ?? 0
    let done = answer["done"]?.integer ?? 0
    if isJSON {
      let value = JSONValue.object([
        .init("rows", .integer(rows)), .init("done", .integer(done)),
        .init("refused", .integer(Int64(problems.count))), .init("problems", .array(problems)),
      ])
      console.print(json: value)
      return
    }
    console.print("\(done) of \(rows) purchases are linked")
    for problem in problems {
      console.print(
        "line \(problem["line"]?.integer ?? 0): \(problem["reason"]?.string ?? "")")
    }
  }
}
