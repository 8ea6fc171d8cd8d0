import Foundation
import Testing

/// A server that is started again where nothing can be kept.
struct UnwritableStoreTests {
  @Test(.timeLimit(.minutes(5)))
  func
    `who starts on a disk that takes nothing is not ready from the first moment on, and says why`()
    throws
  {
    let store = try BusyStore(customers: 12)
    let site = try store.site()
    let served = try ServedProcess(site)
    for text in store.notifications { #expect(try served.post(text) == 200) }
    served.crash()
    let log = try FileManager.default.attributesOfItem(atPath: site.database + "-wal")[.size]
    #expect((log as? Int ?? 0) > 128 << 10)
    let full = try ServedProcess(site, greatestFile: 128)
    #expect(try full.status("/readyz", key: "") == 503)
    #expect(site.logged.contains(#""event":"storeUnwritable""#))
    #expect(try full.status("/healthz", key: "") == 200)
    full.crash()
    let again = try ServedProcess(site)
    #expect(try again.status("/readyz", key: "") == 200)
    #expect(again.stop() == 0)
  }
}
