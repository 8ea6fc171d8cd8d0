import CMicrohttpd

extension HTTPHeaders {
  /// The header fields of a request whose header is complete.
  init(of connection: OpaquePointer) {
    self.init()
    withUnsafeMutablePointer(to: &self) { headers in
      _ = cmhd_each_header(connection, collectHeader, headers)
    }
  }

  /// How the fields could be read in two ways by two parties; `nil` when they cannot.
  ///
  /// libmicrohttpd's strict mode lets these through, and request smuggling lives on them.
  ///
  /// Source: RFC 9112, sections 3.2 and 6.3.
  var ambiguity: String? {
    if count(of: "host") != 1 { return "There must be one Host field." }
    if count(of: "content-length") > 1 { return "Content-Length stands twice." }
    if count(of: "transfer-encoding") > 1 { return "Transfer-Encoding stands twice." }
    if let coding = self["transfer-encoding"] {
      if self["content-length"] != nil {
        return "Content-Length and Transfer-Encoding exclude each other."
      }
      if coding.lowercased() != "chunked" { return "The only transfer coding is chunked." }
    }
    if let length = self["content-length"], !isDigits(length) {
      return "Content-Length is no number."
    }
    let hasControl = fields.contains { field in
      field.value.utf8.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
        || field.name.utf8.contains { $0 <= 0x20 }
    }
    return hasControl ? "A header field holds a control character." : nil
  }

  private func isDigits(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 18
      && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

private let collectHeader: MHD_KeyValueIteratorN = { context, _, name, nameSize, value, valueSize in
  guard let context, let name else { return MHD_YES }
  let headers = context.assumingMemoryBound(to: HTTPHeaders.self)
  let nameBytes = UnsafeRawBufferPointer(start: name, count: nameSize)
  let valueBytes = UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize)
  headers.pointee.append(
    String(decoding: nameBytes, as: UTF8.self), String(decoding: valueBytes, as: UTF8.self))
  return MHD_YES
}
