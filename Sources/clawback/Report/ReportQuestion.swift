import AppStoreModel

/// Asks for a report on every app and environment, or on one of them.
struct ReportQuestion {
  static let app = Option<String?>.text("app", "BUNDLE-ID", "Only this app.")
  static let environment = Option<String?>.choice(
    "environment", ["Production", "Sandbox"], "Only this environment.")
  static let from = Option<String?>.text(
    "from", "TIME", "Leave out what is dated before it: 2026-11-30 or 2026-11-30T08:00:00Z.")
  static let until = Option<String?>.text(
    "until", "TIME", "Leave out what is dated at or after it.")
  static let csv = Option.flag("csv", "Print comma-separated values, with a header.")
  static let options: [any Parameter] = [
    ConfigurationFile.option, app, environment, from, until, csv,
  ]

  private let operations: Operator
  private let scopes: [JSONValue]
  private let range: [JSONValue.Member]

  init(_ arguments: Arguments) throws {
    operations = try Operator(arguments)
    let (app, environment) = (arguments[Self.app], arguments[Self.environment])
    scopes = (try operations.ask("report.scopes")["scopes"]?.array ?? []).filter { scope in
      (app == nil || scope["app"]?.string == app)
        && (environment == nil || scope["environment"]?.string == environment)
    }
    range = try [("fromMs", Self.from), ("untilMs", Self.until)].compactMap { name, option in
      try arguments[option].map {
        .init(name, .integer(try Moment.read($0, for: option.name).millisecondsSince1970))
      }
    }
  }

  /// Answers a command by the report on each app and environment: as one table of comma-separated
  /// values, as one JSON object, or one after the other for people.
  ///
  /// - Parameters:
  ///   - arguments: Those of the command.
  ///   - command: What to ask.
  ///   - list: The member that goes on from page to page; `nil` where there is one page.
  ///   - members: What else to say.
  ///   - console: Where it is shown.
  ///   - show: Shows one report to people.
  /// - Returns: Success.
  /// - Throws: ``CommandFailure`` with the answer's own error, or ``UsageError`` for `--csv` with `--json`.
  static func answer(
    _ arguments: Arguments, _ command: String, list: String? = nil,
    _ members: [JSONValue.Member] = [], on console: Console,
    _ show: (JSONValue, Console) -> Void
  ) throws -> ExitCode {
    let question = try ReportQuestion(arguments)
    if arguments[csv] {
      guard !arguments[Option<Bool>.json] else { throw UsageError.notTogether("--csv", "--json") }
      try question.printCSV(command, members, on: console)
      return .success
    }
    let answers = try question.answers(command, list: list, members)
    if arguments[Option<Bool>.json] {
      console.print(scopes: answers)
      return .success
    }
    for answer in answers { show(answer, console) }
    if let note = answers.first?["note"]?.string { console.note(note) }
    return .success
  }

  /// The report on each app and environment.
  ///
  /// - Parameters:
  ///   - command: What to ask.
  ///   - list: The member that goes on from page to page; `nil` where there is one page.
  ///   - members: What else to say.
  /// - Returns: One answer for each, with all pages put together.
  /// - Throws: ``CommandFailure`` with the answer's own error.
  private func answers(
    _ command: String, list: String?, _ members: [JSONValue.Member]
  ) throws(CommandFailure) -> [JSONValue] {
    try scopes.map { (scope) throws(CommandFailure) in
      guard case .object(let named) = scope else { return scope }
      return try answer(command, list: list, named + range + members)
    }
  }

  private func answer(
    _ command: String, list: String?, _ members: [JSONValue.Member]
  ) throws(CommandFailure) -> JSONValue {
    var page = try operations.ask(command, members)
    guard let list else { return page }
    var items = page[list]?.array ?? []
    var answer = page
    while let next = page["next"] {
      page = try operations.ask(command, members + [.init("after", next)])
      items += page[list]?.array ?? []
    }
    if case .object(let all) = answer {
      answer = .object(
        all.filter { $0.name != "next" && $0.name != list } + [.init(list, .array(items))])
    }
    return answer
  }

  /// Prints the report on each app and environment as one table, whose first columns name them.
  private func printCSV(
    _ command: String, _ members: [JSONValue.Member], on console: Console
  ) throws(CommandFailure) {
    var isFirst = true
    for case .object(let named) in scopes {
      let all = named + range + members + [.init("format", .string("csv"))]
      var next: JSONValue?
      repeat {
        let page = try operations.ask(command, all + (next.map { [.init("after", $0)] } ?? []))
        console.print(csv: page["csv"]?.string ?? "", withHeader: isFirst)
        isFirst = false
        next = page["next"]
      } while next != nil
    }
  }
}

extension Console {
  /// Prints answers as one JSON object.
  func print(scopes: [JSONValue]) {
    print(json: .object([.init("scopes", .array(scopes))]))
  }
}

extension JSONValue {
  /// Whose report it is, as a heading.
  var heading: String { "\(self["app"]?.string ?? "") \(self["environment"]?.string ?? "")" }

  /// How many of something there are: `1 refund`, `2 refunds`.
  static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }
}
