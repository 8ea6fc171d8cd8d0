package import AppStoreModel
import Foundation

/// A schema of `docs/contracts/schemas`, and what of a document is against it.
///
/// Source: JSON Schema 2020-12, of which it knows the words that our schemas use; any other word is a
/// finding, so that a schema cannot ask for something that nobody checks.
package struct JSONSchema {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "docs/contracts/schemas")

  private static let annotations: Set = ["$schema", "title", "description", "format", "$defs"]

  private let root: JSONValue

  /// Reads `NAME.json`.
  package init(_ name: String) throws {
    root = try JSONValue(
      json: Array(Data(contentsOf: Self.folder.appending(path: name + ".json"))))
  }

  /// The names of all schemas.
  package static var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }
  }

  /// What is wrong with a document, each with where it is; empty when it is as described.
  package func findings(in document: JSONValue) throws -> [String] {
    try findings(document, root, at: "$")
  }

  package func findings(in document: String) throws -> [String] {
    try findings(in: JSONValue(json: Array(document.utf8)))
  }

  private func findings(
    _ value: JSONValue, _ schema: JSONValue, at path: String
  ) throws -> [String] {
    guard let words = schema.members else { return ["\(path): a schema is no object"] }
    return try words.flatMap { word in
      try findings(value, word.name, word.value, beside: schema, at: path)
    }
  }

  private func findings(
    _ value: JSONValue, _ word: String, _ stated: JSONValue, beside schema: JSONValue,
    at path: String
  ) throws -> [String] {
    func check(_ isGood: Bool) -> [String] {
      isGood ? [] : ["\(path): \(value.text) is not \(word) \(stated.text)"]
    }
    switch word {
    case "$ref": return try follow(stated.string ?? "", value, at: path)
    case "type": return check((stated.array ?? [stated]).contains { value.isOf($0.string) })
    case "enum": return check(stated.array?.contains(value) == true)
    case "const": return check(stated == value)
    case "pattern": return check(try value.matches(stated.string ?? ""))
    case "minimum": return check(value.number.map { $0 >= stated.number ?? .infinity } ?? true)
    case "maximum": return check(value.number.map { $0 <= stated.number ?? -.infinity } ?? true)
    case "minItems": return check(value.array.map { $0.count >= Int(stated.integer ?? 0) } ?? true)
    case "required":
      let missing = (stated.array ?? []).compactMap(\.string).filter { value[$0] == nil }
      return value.members == nil ? [] : missing.map { "\(path): \($0) is missing" }
    case "properties": return try properties(value, stated, at: path)
    case "items":
      return try (value.array ?? []).enumerated().flatMap { place, item in
        try findings(item, stated, at: "\(path)[\(place)]")
      }
    case "additionalProperties": return additional(value, schema, stated, at: path)
    case "oneOf":
      let fits = try (stated.array ?? []).count { try findings(value, $0, at: path).isEmpty }
      return fits == 1 ? [] : ["\(path): fits \(fits) of oneOf"]
    default: return Self.annotations.contains(word) ? [] : ["\(path): unknown word \(word)"]
    }
  }

  private func properties(
    _ value: JSONValue, _ stated: JSONValue, at path: String
  ) throws -> [String] {
    try (stated.members ?? []).flatMap { property in
      try value[property.name].map {
        try findings($0, property.value, at: "\(path).\(property.name)")
      } ?? []
    }
  }

  private func additional(
    _ value: JSONValue, _ schema: JSONValue, _ stated: JSONValue, at path: String
  ) -> [String] {
    guard stated == .bool(false) else {
      return ["\(path): additionalProperties is only ever false"]
    }
    return (value.members ?? []).filter { schema["properties"]?[$0.name] == nil }
      .map { "\(path): \($0.name) is not described" }
  }

  /// Follows `NAME.json` to another schema, and `#/$defs/NAME` within this one.
  private func follow(_ reference: String, _ value: JSONValue, at path: String) throws -> [String] {
    guard reference.hasPrefix("#/$defs/") else {
      let other = try JSONSchema(String(reference.dropLast(5)))
      return try other.findings(value, other.root, at: path)
    }
    guard let definition = root["$defs"]?[String(reference.dropFirst(8))] else {
      return ["\(path): no \(reference)"]
    }
    return try findings(value, definition, at: path)
  }
}

extension JSONValue {
  fileprivate var text: String { String(decoding: json, as: UTF8.self) }

  fileprivate var members: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }

  fileprivate var number: Double? { Double(text) }

  fileprivate func isOf(_ type: String?) -> Bool {
    switch (type, self) {
    case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool),
      ("null", .null):
      true
    case ("integer", _): integer != nil
    case ("number", _): string == nil && number != nil
    default: false
    }
  }

  fileprivate func matches(_ pattern: String) throws -> Bool {
    guard let string else { return true }
    return try string.contains(Regex(pattern))
  }
}
