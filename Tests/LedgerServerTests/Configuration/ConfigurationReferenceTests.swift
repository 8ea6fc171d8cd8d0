import AppStoreModel
import Foundation
import JSON5
import Testing

@testable import LedgerServer

/// The reference is what the reader does: every setting, default, range and example.
struct ConfigurationReferenceTests {
  /// One line of a table.
  private struct Setting: CustomTestStringConvertible {
    let section: String
    let name: String
    let type: String
    let standing: String
    let range: String

    var testDescription: String { "\(section).\(name)" }
  }

  /// Settings by the section that describes them, and where a section's members stand in a file.
  private static let frames: [String: (before: String, after: String)] = [
    "The file": ("", ""),
    "`apps[]`": ("apps: [{ bundleId: 'b', ", "}]"),
    "`apps[].products[]`": (
      "apps: [{ bundleId: 'b', products: [{ productId: 'p', entitlements: [], ", "}] }]"
    ),
    "`apps[].appStoreConnect`": (
      "apps: [{ bundleId: 'b', appStoreConnect: { keyFile: 'f', keyId: 'k', issuerId: 'i', ",
      "} }]"
    ),
    "`apps[].consumption`": ("apps: [{ bundleId: 'b', consumption: { ", "} }]"),
    "`apps[].consumption.products[]`": (
      "apps: [{ bundleId: 'b', consumption: { sampleContentProvided: false, "
        + "products: [{ productId: 'p', ", "}] } }]"
    ),
    "`policies[]`": ("policies: [{ ", "}]"),
    "`listen`": ("listen: { ", "}"),
    "`limits`": ("limits: { ", "}"),
    "`appStoreServerAPI`": ("appStoreServerAPI: { ", "}"),
    "`reconciliation`": ("reconciliation: { ", "}"),
    "`events`": ("events: { ", "}"),
    "`spending`": ("spending: { ", "}"),
    "`webhooks`": ("webhooks: { ", "}"),
    "`forwarding[]`": ("forwarding: [{ url: 'https://example.com/', ", "}]"),
  ]

  private static let text: String = {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../docs/configuration.md")
    return (try? String(contentsOf: path, encoding: .utf8)) ?? ""
  }()

  private static let sections: [(title: String, text: String)] =
    text.components(separatedBy: "\n## ").dropFirst().map { part in
      let title = part.prefix { $0 != "\n" }
      return (String(title), String(part.dropFirst(title.count)))
    }

  private static let settings: [Setting] = sections.flatMap { section in
    section.text.split(separator: "\n").compactMap { line -> Setting? in
      let cells = line.components(separatedBy: "|").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard cells.count >= 7, cells[1].hasPrefix("`") else { return nil }
      return Setting(
        section: section.title, name: cells[1].replacing("`", with: ""), type: cells[2],
        standing: cells[3], range: cells[4])
    }
  }

  /// A configuration with one setting of a section stated, or with none.
  private static func file(_ section: String, _ member: String = "") -> String {
    let frame = frames[section] ?? ("", "")
    // Apple demands it of every answer, and so does the reader.
    let isAnswer = section == "`apps[].consumption`" && member.hasPrefix("answer:")
    let needed =
      isAnswer
      ? ", sampleContentProvided: false"
      : member == "whenStoreUnreachable: 'allow'" ? ", degradedBudgetMilliunits: 1" : ""
    let member = member + needed
    let own = frame.before + member + frame.after
    var parts = [own]
    for part in ["apps: [{ bundleId: 'b' }]", "environments: ['Sandbox']"] {
      let name = part.prefix { $0 != ":" } + ":"
      if !own.hasPrefix(name) { parts.append(part) }
    }
    return "{ " + parts.filter { !$0.isEmpty }.joined(separator: ", ") + " }"
  }

  private static func read(_ text: String) throws(JSON5Error) -> Configuration {
    try Configuration(json5: Array(text.utf8))
  }

  private static func dump(_ configuration: Configuration) -> String {
    var text = ""
    Swift.dump(configuration, to: &text)
    return text
  }

  @Test func `every section of the reader is described, and no other`() {
    #expect(Set(Self.sections.map(\.title)) == Set(Self.frames.keys))
  }

  @Test(arguments: frames.keys.sorted())
  func `a section has the settings that the reader knows`(section: String) throws {
    let described = Set(Self.settings.filter { $0.section == section }.map(\.name))
    do throws(JSON5Error) {
      _ = try Self.read(Self.file(section, "noSuchSettingAtAll: 1"))
      Issue.record("an unknown setting was read")
    } catch {
      let list = error.problem.components(separatedBy: "; there are ").last ?? ""
      #expect(described == Set(list.components(separatedBy: ", ")))
    }
  }

  @Test(arguments: settings.filter { $0.standing.hasPrefix("`") })
  private func `a default is what holds where nothing is stated`(setting: Setting) throws {
    let value = setting.standing.replacing("`", with: "")
    let stated = try Self.read(Self.file(setting.section, "\(setting.name): \(value)"))
    #expect(Self.dump(stated) == Self.dump(try Self.read(Self.file(setting.section))))
  }

  @Test(arguments: settings.filter { $0.range.contains(" to ") })
  private func `a number is taken in its range and refused beyond it`(setting: Setting) throws {
    let ends = setting.range.components(separatedBy: " to ").compactMap { Int64($0) }
    try #require(ends.count == 2)
    for good in ends {
      _ = try Self.read(Self.file(setting.section, "\(setting.name): \(good)"))
    }
    let beyond = [ends[0] - 1] + (ends[1] == .max ? [] : [ends[1] + 1])
    for bad in beyond {
      #expect(throws: JSON5Error.self) {
        try Self.read(Self.file(setting.section, "\(setting.name): \(bad)"))
      }
    }
  }

  @Test(arguments: settings.filter { $0.range.hasPrefix("`") })
  private func `a word is one of those listed`(setting: Setting) throws {
    func member(_ word: String) -> String {
      setting.type == "text" ? "\(setting.name): '\(word)'" : "\(setting.name): ['\(word)']"
    }
    for word in setting.range.replacing("`", with: "").components(separatedBy: ", ") {
      let isProduction = word == "Production"
      let rest = isProduction ? ", apps: [{ bundleId: 'b', appAppleId: 1 }]" : ""
      let text =
        isProduction
        ? "{ \(member(word))\(rest) }" : Self.file(setting.section, member(word))
      _ = try Self.read(text)
    }
    #expect(throws: JSON5Error.self) {
      try Self.read(Self.file(setting.section, member("nonsense")))
    }
  }

  @Test func `every example is read`() throws {
    let examples = Self.text.components(separatedBy: "```json5\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    #expect(examples.count >= 9)
    for example in examples { _ = try Self.read(example) }
  }

  @Test func `every setting has a type`() {
    let types = [
      "text", "whole number", "true or false", "object", "list of texts", "list of objects",
    ]
    #expect(Self.settings.count >= 60)
    for setting in Self.settings { #expect(types.contains(setting.type)) }
  }
}
