import Foundation
import Testing

@testable import clawback

struct OutputFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  @Test(arguments: [nil, 0o644] as [Int?])
  func `a secret is for its owner alone, also where a file was`(mode: Int?) throws {
    let path = folder.appending(path: "key.p8").path
    if let mode {
      try Data("longer than the secret".utf8).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    try OutputFile.writeSecret(Array("secret".utf8), to: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "secret")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `a folder that is not there is told`() {
    let error = #expect(throws: CommandFailure.self) {
      try OutputFile.writeSecret([], to: folder.appending(path: "none/key.p8").path)
    }
    #expect(error?.advice == "Name a file in a folder that exists.")
  }
}
