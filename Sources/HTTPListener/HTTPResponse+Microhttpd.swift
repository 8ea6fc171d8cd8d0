import CMicrohttpd

extension HTTPResponse {
  /// Gives the answer to libmicrohttpd, which copies it.
  func queue(on connection: OpaquePointer) -> MHD_Result {
    var bytes = body
    let made = bytes.withUnsafeMutableBytes { buffer in
      MHD_create_response_from_buffer(
        buffer.count, buffer.baseAddress, MHD_ResponseMemoryMode.RESPMEM_MUST_COPY)
    }
    return queue(made, on: connection)
  }

  /// Gives an answer to libmicrohttpd that asks for its body piece by piece, and keeps `stream`.
  func queue(_ stream: OutgoingStream, on connection: OpaquePointer) -> MHD_Result {
    let context = Unmanaged.passRetained(stream)
    let made = MHD_create_response_from_callback(
      .max, 8_192, streamRead, context.toOpaque(), streamReleased)
    if made == nil { context.release() }
    return queue(made, on: connection)
  }

  private func queue(_ made: OpaquePointer?, on connection: OpaquePointer) -> MHD_Result {
    guard let made else { return MHD_NO }
    defer { MHD_destroy_response(made) }
    for header in headers { MHD_add_response_header(made, header.name, header.value) }
    return MHD_queue_response(connection, UInt32(status), made)
  }
}
