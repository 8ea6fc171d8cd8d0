import AppStoreModel

/// What came back for one request, and what follows from it.
///
/// Only an answer in the server's own words takes or refuses anything: a status alone may be anybody's.
package struct ReportAnswer: Hashable, Sendable {
  /// Absent where no answer came.
  package var status: Int?
  package var retryAfter: String?
  package var body: [UInt8] = []
  /// Whether another address answered than the one that was asked.
  package var isRedirected = false
  /// The system's number for what went wrong before an answer came, in its domain of URLs.
  package var failure: Int?

  package init(_ status: Int? = nil, _ body: String = "") {
    self.status = status
    self.body = Array(body.utf8)
  }

  /// What became of a request of so many texts.
  package func outcome(of count: Int) -> ReportQueue.Outcome {
    guard let status else { return withoutAnswer }
    if 200..<300 ~= status { return results(of: count) ?? .troubled(.strangeAnswer(word)) }
    if 500... ~= status || [408, 425, 429].contains(status) { return .failed(retryAfter: wait) }
    if isRedirected { return .troubled(.strangeAnswer("\(word) after a redirect")) }
    return refusal(status)
  }

  private func refusal(_ status: Int) -> ReportQueue.Outcome {
    switch (status, code) {
    case (401, _), (403, _): .troubled(.keyRefused(code ?? word))
    case (404, _), (405, _), (410, _), (421, _): .troubled(.wrongAddress(code ?? word))
    case (413, _): .refused(.tooLarge)
    case (400, let code?), (422, let code?): .refused(.textRefused(code))
    default: .troubled(.strangeAnswer(word))
    }
  }

  /// Source: the numbers of `NSURLError`, which are the same on all systems.
  private var withoutAnswer: ReportQueue.Outcome {
    guard let failure else { return .failed(retryAfter: nil) }
    switch failure {
    // A URL that is none, of a scheme that is none of HTTP's, and one that the app's own rules for
    // transport forbid.
    case -1000, -1002, -1022: return .troubled(.wrongAddress("NSURLError \(failure)"))
    case -1003: return .troubled(.unknownHost)
    // It leads in circles or nowhere, or whoever answers is not who the address names.
    case -1007, -1010, -1206 ... -1200: return .troubled(.strangeAnswer("NSURLError \(failure)"))
    default: return .failed(retryAfter: nil)
    }
  }

  /// What the server says of each text; absent where these are not its words.
  private func results(of count: Int) -> ReportQueue.Outcome? {
    guard let results = json?["results"]?.array, results.count == count else { return nil }
    var refusals: [Int: String] = [:]
    for (place, result) in results.enumerated() {
      guard let word = result["result"]?.string else { return nil }
      if word == "refused" { refusals[place] = Self.name(result["reason"]) ?? "unknown" }
    }
    return refusals.isEmpty ? .taken : .takenExcept(refusals)
  }

  /// The code of the server's own problem document; absent where it is none.
  private var code: String? {
    guard let json, json["status"]?.integer == status.map({ Int64($0) }) else { return nil }
    return Self.name(json["code"])
  }

  private var json: JSONValue? { try? JSONValue(json: body) }

  private var word: String { "HTTP \(status ?? 0)" }

  private var wait: TimeSpan? {
    retryAfter.flatMap { Int64($0) }.map { .seconds(min(max($0, 0), 86_400)) }
  }

  /// A name as the server gives them, which is safe to log.
  private static func name(_ value: JSONValue?) -> String? {
    guard let text = value?.string, (1...60).contains(text.utf8.count) else { return nil }
    let isName = text.unicodeScalars.allSatisfy { letter in
      ("a"..."z").contains(letter) || ("A"..."Z").contains(letter) || ("0"..."9").contains(letter)
        || letter == "." || letter == "-"
    }
    return isName ? text : nil
  }
}
