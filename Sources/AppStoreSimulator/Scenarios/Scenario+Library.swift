import AppStoreModel

extension Scenario {
  /// The scenario of this name, or of this number alone, among those that come with this program.
  package static func named(_ word: String) -> Scenario? {
    let number = word.prefix { $0.isNumber }.count == 1 ? "0" + word : word
    return all.first { $0.name == word || $0.name.prefix { $0 != "-" } == number }
  }

  /// All the stories that come with this program, by number.
  package static let all: [Scenario] = library.map { name, text in
    do throws(ScenarioFailure) {
      return try Scenario(json5: text, name: name)
    } catch {
      preconditionFailure("the scenario \(name) is broken: \(error)")
    }
  }

  /// The file of a scenario that comes with this program, to be copied and changed.
  package static func file(of name: String) -> [UInt8]? {
    library.first { $0.name == name }?.text
  }
}
