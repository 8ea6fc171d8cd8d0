package import AppStoreModel

/// The form of dates in HTTP headers.
///
/// Source: RFC 9110, section 5.6.7, the preferred form alone.
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  package static func moment(_ text: String) -> Timestamp? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", words[1].count == 2, words[3].count == 4,
      let month = months.firstIndex(of: String(words[2]))
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return Timestamp(rfc3339: "\(words[3])-\(number)-\(words[1])T\(words[4])Z")
  }
}
