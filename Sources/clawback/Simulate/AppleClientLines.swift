import AppStoreModel

/// How the clients of Apple's official libraries are pointed at the simulated App Store.
///
/// None of them has a parameter for it, so each is told in the way that its language leaves open.
struct AppleClientLines {
  /// Of the environment that the story plays in.
  let baseURL: String
  let keyFile: String
  let keyId: String
  let issuerId: String
  let bundleId: String
  let environment: String

  var python: [String] {
    [
      "from appstoreserverlibrary.api_client import AppStoreServerAPIClient, Environment",
      "client = AppStoreServerAPIClient(open(\(quoted(keyFile)), \"rb\").read(), \(names), "
        + "Environment.\(environment.uppercased()))",
      "client._base_url = \(quoted(baseURL))",
    ]
  }

  /// In TypeScript the last line needs `(client as any)`.
  var node: [String] {
    [
      "const { AppStoreServerAPIClient, Environment } = require(\"@apple/app-store-server-library\")",
      "const client = new AppStoreServerAPIClient(require(\"fs\").readFileSync(\(quoted(keyFile)), "
        + "\"utf8\"), \(names), Environment.\(environment.uppercased()))",
      "client.urlBase = \(quoted(baseURL))",
    ]
  }

  /// The address is private there, and the request is not.
  var java: [String] {
    [
      "import com.apple.itunes.storekit.client.AppStoreServerAPIClient; "
        + "import com.apple.itunes.storekit.model.Environment; import java.nio.file.*; "
        + "import okhttp3.*;",
      "var client = new AppStoreServerAPIClient(Files.readString(Path.of(\(quoted(keyFile)))), "
        + "\(names), Environment.LOCAL_TESTING) {",
      "  @Override protected Response getResponse(Request request) throws java.io.IOException { "
        + "return super.getResponse(request.newBuilder().url(request.url().toString()"
        + ".replace(\"https://local-testing-base-url\", \(quoted(baseURL)))).build()); } };",
    ]
  }

  /// The address is private there, and `@testable` needs a debug build: what is sent is changed.
  var swift: [String] {
    [
      "@testable import AppStoreServerLibrary; import AsyncHTTPClient; import Foundation",
      "final class Client: AppStoreServerAPIClient { override func executeRequest("
        + "_ request: HTTPClientRequest, _ body: Data?) async throws -> HTTPClientResponse { "
        + "var request = request; request.url = request.url.replacingOccurrences("
        + "of: \"https://local-testing-base-url\", with: \(quoted(baseURL))); "
        + "return try await super.executeRequest(request, body) } }",
      "let client = try Client(signingKey: String(contentsOfFile: \(quoted(keyFile)), "
        + "encoding: .utf8), keyId: \(quoted(keyId)), issuerId: \(quoted(issuerId)), "
        + "bundleId: \(quoted(bundleId)), environment: .localTesting)",
    ]
  }

  /// Shape: a heading before the lines of each language.
  var text: [String] {
    ["Apple's library for Python:"] + python + ["", "for Node:"] + node
      + ["", "for Java:"] + java + ["", "for Swift, in a debug build:"] + swift
  }

  private var names: String {
    [keyId, issuerId, bundleId].map(quoted).joined(separator: ", ")
  }

  /// A text as all four languages write it.
  private func quoted(_ text: String) -> String {
    String(decoding: JSONValue.string(text).json, as: UTF8.self)
  }
}

extension ServedStory {
  /// Who wrote no key file is to save the key as `key.p8`.
  var clientLines: AppleClientLines {
    AppleClientLines(
      baseURL: environment == "Production" ? url : sandboxUrl, keyFile: keyFile ?? "key.p8",
      keyId: keyId, issuerId: issuerId, bundleId: bundleId, environment: environment)
  }
}
