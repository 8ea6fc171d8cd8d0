import CMicrohttpd

extension HTTPResponse {
  /// Gives the answer to libmicrohttpd, which copies it.
  func queue(on connection: OpaquePointer, head: Bool) -> MHD_Result {
    var bytes = body
    let made = bytes.withUnsafeMutableBytes { buffer in
      MHD_create_response_from_buffer(
        buffer.count, buffer.baseAddress, MHD_ResponseMemoryMode.RESPMEM_MUST_COPY)
    }
    guard let made else { return MHD_NO }
    defer { MHD_destroy_response(made) }
    for header in headers { MHD_add_response_header(made, header.name, header.value) }
    return MHD_queue_response(connection, UInt32(status), made)
  }
}
