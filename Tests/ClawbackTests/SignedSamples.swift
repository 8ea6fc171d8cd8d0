import AppStoreModel
import AppStoreSimulator
import Glibc

/// What a simulated App Store signs, in files that a command can be given.
final class SignedSamples {
  static let begin = Timestamp(millisecondsSince1970: 1_767_225_600_000)

  let folder: String
  let authority = CertificateAuthority(seed: 7)
  private let signer: JWSSigner
  private let store: SimulatedAppStore

  init() throws {
    var template = Array("/tmp/clawback-tests-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
    guard mkdtemp(&template) != nil else { throw FileFailure() }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    signer = JWSSigner(authority)
    store = try SignedSamples.life()
  }

  deinit {
    for name in names { unlink(path(name)) }
    rmdir(folder)
  }

  /// The root that the samples are signed under.
  var root: String { get throws { try file("root.der", authority.root.der) } }

  /// Three notifications: a subscription, its renewal, and a refund of the first period.
  var notifications: [String] { store.notifications.map { NotificationSigner(signer).sign($0) } }

  /// The transaction that the refund names.
  var transaction: String {
    store.notifications.last?.transaction.map { NotificationSigner(signer).sign($0) } ?? ""
  }

  var renewal: String {
    store.notifications.last?.renewal.map { NotificationSigner(signer).sign($0) } ?? ""
  }

  func sign(_ json: String) -> String { signer.sign(Array(json.utf8)) }

  func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let descriptor = open(path(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw FileFailure() }
    defer { close(descriptor) }
    guard write(descriptor, bytes, bytes.count) == bytes.count else { throw FileFailure() }
    if !names.contains(name) { names.append(name) }
    return path(name)
  }

  /// Takes away what a command wrote into the folder.
  func remove(_ name: String) { unlink(path(name)) }

  func path(_ name: String) -> String { folder + "/" + name }

  struct FileFailure: Error {}

  private var names: [String] = []

  private static func life() throws -> SimulatedAppStore {
    var store = SimulatedAppStore(seed: 7)
    let ann = store.enroll("ann")
    let first = try store.buy(SimulatedProduct.pro.id, by: ann, at: begin)
    try store.renew(first, at: begin.adding(.days(30)))
    try store.refund(first, at: begin.adding(.days(40)))
    return store
  }
}
