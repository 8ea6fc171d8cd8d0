import CCrypto

/// An object identifier as libcrypto compares it.
///
/// `@unchecked Sendable`: never changed after `init`.
final class ObjectIdentifierHandle: @unchecked Sendable {
  let pointer: OpaquePointer

  init?(_ dotted: String) {
    guard let pointer = OBJ_txt2obj(dotted, 1) else {
      ERR_clear_error()
      return nil
    }
    self.pointer = pointer
  }

  deinit {
    ASN1_OBJECT_free(pointer)
  }
}
