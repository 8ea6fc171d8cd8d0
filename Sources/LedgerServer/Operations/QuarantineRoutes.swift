import AppStoreModel
import HTTPListener
import LedgerStorage

/// What was refused, page by page.
struct QuarantineRoutes {
  let readers: ReaderPool

  var routes: [Route] {
    [
      Route.get("/v1/quarantine", .administrators) { [self] call throws(Problem) in
        try quarantine(call)
      }.reading(.after, .limit)
    ]
  }

  private func quarantine(_ call: Call) throws(Problem) -> HTTPResponse {
    let after = try call.number("after", in: 0...Int64.max, default: 0)
    let limit = try call.number("limit", in: 1...500, default: 100)
    let items = try readers.read { (reader) throws(StoreError) in
      try reader.quarantined(after: after, limit: Int(limit))
    }
    return .json(
      JSONWriter.page("items", items, next: items.last?.position ?? after) {
        $0.quarantined($1.position, $1.item)
      })
  }
}

extension JSONWriter {
  /// What is known of a quarantined item; never its content.
  mutating func quarantined(_ position: Int64, _ item: QuarantinedItem) {
    object { writer in
      writer.member("position", position)
      writer.member("sha256", item.sha256.hexadecimal)
      writer.member("channel", item.channel)
      writer.member("reason", item.reason)
      writer.member("isKept", item.body != nil)
      writer.member("receivedAtMs", item.receivedAt.millisecondsSince1970)
    }
  }
}

extension [UInt8] {
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
