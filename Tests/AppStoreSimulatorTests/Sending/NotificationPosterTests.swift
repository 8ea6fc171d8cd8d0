import AppStoreSimulator
import Testing

struct NotificationPosterTests {
  @Test(arguments: [200, 206, 404, 503])
  func `the answer's status comes back`(status: Int) throws {
    let receiver = try OneShotReceiver(answering: status)
    let poster = try NotificationPoster(url: receiver.url)
    #expect(try poster.post("a.b.c") == status)
    let request = receiver.request()
    #expect(request.hasPrefix("POST /hook HTTP/1.1\r\n"))
    #expect(request.contains("Content-Type: application/json\r\n"))
    #expect(request.hasSuffix("\r\n\r\n{\"signedPayload\":\"a.b.c\"}"))
  }

  @Test(arguments: [(199, false), (200, true), (206, true), (207, false), (301, false)])
  func `a status from 200 to 206 is a receipt`(status: Int, isAccepted: Bool) {
    #expect(NotificationPoster.isAccepted(status) == isAccepted)
  }

  @Test func `nobody there is a failure that names the cause`() throws {
    let receiver = try OneShotReceiver(answering: 200)
    let url = receiver.url
    receiver.close()
    let poster = try NotificationPoster(url: url, timeoutMilliseconds: 2_000)
    let failure = #expect(throws: PostingFailure.self) { try poster.post("a.b.c") }
    #expect(failure?.description.hasPrefix("The server gave no answer: ") == true)
  }

  @Test func `an answer without end is not read to its end`() throws {
    let receiver = try OneShotReceiver(answering: 200, isEndless: true)
    let poster = try NotificationPoster(url: receiver.url)
    #expect(throws: PostingFailure.answerTooLong(mebibytes: 16)) { try poster.post("a.b.c") }
    #expect(
      PostingFailure.answerTooLong(mebibytes: 16).description
        == "The server's answer is longer than 16 MiB.")
  }

  @Test func `only HTTP is spoken`() throws {
    let poster = try NotificationPoster(url: "file:///etc/hostname")
    #expect(throws: PostingFailure.self) { try poster.post("a.b.c") }
    #expect(PostingFailure.unavailable.description == "libcurl cannot be used.")
  }
}
