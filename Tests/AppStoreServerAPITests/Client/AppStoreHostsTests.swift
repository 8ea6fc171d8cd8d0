import AppStoreVerification
import Testing

@testable import AppStoreServerAPI

struct AppStoreHostsTests {
  @Test(arguments: [
    ("https://api.example.com", "https://api.example.com"),
    ("https://api.example.com:8443/base/", "https://api.example.com:8443/base"),
    ("http://127.0.0.1:9", "http://127.0.0.1:9"), ("http://127.1.2.3", "http://127.1.2.3"),
    ("http://localhost:9/sandbox", "http://localhost:9/sandbox"),
    ("http://[::1]:9", "http://[::1]:9"),
  ])
  func `an address that keeps the token is taken`(url: String, base: String) throws {
    let hosts = try AppStoreHosts(production: url, sandbox: "https://other.example.com")
    #expect(hosts.base(.production) == base)
    #expect(hosts.base(.sandbox) == "https://other.example.com")
  }

  @Test(arguments: [
    "", "api.example.com", "ftp://api.example.com", "http://api.example.com",
    "http://127.0.0.1.example.com", "http://localhost.example.com", "http://127.0.0.1@example.com",
    "https://user:word@api.example.com", "https://api.example.com/?q", "https://api.example.com/#x",
    "https://", "https://:8", "https:///path", "https://exa mple.com", "https://exämple.com",
    "http://[::1].example.com", "http://127.0.0.999", "https://a.example.com\\@b",
  ])
  func `any other is refused`(url: String) {
    #expect(throws: ClientSetupError.badAddress(url)) {
      try AppStoreHosts(production: "https://api.example.com", sandbox: url)
    }
    #expect(!ClientSetupError.badAddress(url).advice.isEmpty)
  }

  @Test func `Apple's hosts are the recommended ones`() {
    #expect(AppStoreHosts.apple.base(.production) == "https://api.storekit.apple.com")
    #expect(AppStoreHosts.apple.base(.sandbox) == "https://api.storekit-sandbox.apple.com")
  }
}
