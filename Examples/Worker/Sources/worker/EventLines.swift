import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One connection to a stream of Server-Sent Events, line by line.
struct EventLines: AsyncSequence {
  enum Line: Sendable {
    case open
    case field(name: String, value: String)
  }

  private let pieces: AsyncThrowingStream<Data, any Error>

  init(_ request: URLRequest) {
    var request = request
    // Twice the heartbeat: a connection that is silent for longer is dead.
    request.timeoutInterval = 30
    pieces = AsyncThrowingStream { [request] continuation in
      let session = URLSession(
        configuration: .ephemeral, delegate: Receiver(continuation), delegateQueue: nil)
      continuation.onTermination = { _ in session.invalidateAndCancel() }
      session.dataTask(with: request).resume()
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces.makeAsyncIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var pieces: AsyncThrowingStream<Data, any Error>.Iterator
    private var text = Data()
    private var isOpen = false

    fileprivate init(pieces: AsyncThrowingStream<Data, any Error>.Iterator) {
      self.pieces = pieces
    }

    mutating func next() async throws -> Line? {
      while true {
        if let line = takeLine() { return line }
        guard let piece = try await pieces.next() else { return nil }
        text += piece
        guard isOpen else {
          isOpen = true
          return .open
        }
      }
    }

    /// A whole line that holds a field; comments and empty lines are passed over.
    private mutating func takeLine() -> Line? {
      while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: text[..<end], as: UTF8.self)
        text = Data(text[text.index(after: end)...])
        guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { continue }
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        return .field(name: String(line[..<colon]), value: String(value))
      }
      return nil
    }
  }

  /// Hands on what arrives.
  private final class Receiver: NSObject, URLSessionDataDelegate {
    private let pieces: AsyncThrowingStream<Data, any Error>.Continuation

    init(_ pieces: AsyncThrowingStream<Data, any Error>.Continuation) {
      self.pieces = pieces
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      if status == 200 {
        // Nothing to read yet, and the sign that the server listens.
        pieces.yield(Data())
        completionHandler(.allow)
      } else {
        pieces.finish(throwing: Clawback.Refusal(status: status))
        completionHandler(.cancel)
      }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      pieces.yield(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?)
    {
      pieces.finish(throwing: error)
    }
  }
}
