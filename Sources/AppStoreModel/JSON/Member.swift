/// One member of a payload: its name, how to read it, how to write it.
package struct Member<Payload>: Sendable {
  package let name: StaticString
  package let length: Int
  package let read: @Sendable (inout Payload, inout JSONReader) throws(MalformedPayload) -> Void
  package let write: @Sendable (borrowing Payload, inout JSONWriter) -> Void

  init(
    _ name: StaticString,
    read: @escaping @Sendable (inout Payload, inout JSONReader) throws(MalformedPayload) -> Void,
    write: @escaping @Sendable (borrowing Payload, inout JSONWriter) -> Void
  ) {
    self.name = name
    length = name.utf8CodeUnitCount
    self.read = read
    self.write = write
  }

  func isNamed(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard other.count == length else { return false }
    for index in 0..<length where name.utf8Start[index] != other[index] { return false }
    return true
  }
}

extension Member {
  typealias Set<Value> = @Sendable (inout Payload, Value) -> Void
  typealias Get<Value> = @Sendable (borrowing Payload) -> Value?

  static func text(
    _ name: StaticString, _ get: @escaping Get<String>, _ set: @escaping Set<String>
  ) -> Member {
    Member(name) { (payload, reader) throws(MalformedPayload) in
      set(&payload, try reader.string())
    } write: { payload, writer in
      writer.member("\(name)", get(payload))
    }
  }

  static func moment(
    _ name: StaticString, _ get: @escaping Get<Timestamp>, _ set: @escaping Set<Timestamp>
  ) -> Member {
    Member(name) { (payload, reader) throws(MalformedPayload) in
      set(&payload, try reader.timestamp())
    } write: { payload, writer in
      writer.member("\(name)", get(payload)?.millisecondsSince1970)
    }
  }

  static func int64(
    _ name: StaticString, _ get: @escaping Get<Int64>, _ set: @escaping Set<Int64>
  ) -> Member {
    Member(name) { (payload, reader) throws(MalformedPayload) in
      set(&payload, try reader.int64())
    } write: { payload, writer in
      writer.member("\(name)", get(payload))
    }
  }

  static func int32(
    _ name: StaticString, _ get: @escaping Get<Int32>, _ set: @escaping Set<Int32>
  ) -> Member {
    Member(name) { (payload, reader) throws(MalformedPayload) in
      set(&payload, try reader.int32())
    } write: { payload, writer in
      writer.member("\(name)", get(payload).map(Int64.init))
    }
  }

  static func flag(
    _ name: StaticString, _ get: @escaping Get<Bool>, _ set: @escaping Set<Bool>
  ) -> Member {
    Member(name) { (payload, reader) throws(MalformedPayload) in
      set(&payload, try reader.bool())
    } write: { payload, writer in
      writer.member("\(name)", get(payload))
    }
  }

  /// A value of an open enum that Apple writes as text.
  static func word<Value: RawRepresentable<String> & SendableMetatype>(
    _ name: StaticString, _ get: @escaping Get<Value>, _ set: @escaping Set<Value?>
  ) -> Member {
    Member(name) { (payload, reader) throws(MalformedPayload) in
      set(&payload, Value(rawValue: try reader.string()))
    } write: { payload, writer in
      writer.member("\(name)", get(payload)?.rawValue)
    }
  }

  /// A value of an open enum that Apple writes as a number.
  static func code<Value: RawRepresentable<Int32> & SendableMetatype>(
    _ name: StaticString, _ get: @escaping Get<Value>, _ set: @escaping Set<Value?>
  ) -> Member {
    Member(name) { (payload, reader) throws(MalformedPayload) in
      set(&payload, Value(rawValue: try reader.int32()))
    } write: { payload, writer in
      writer.member("\(name)", get(payload).map { Int64($0.rawValue) })
    }
  }

  static func object<Value: JSONPayload>(
    _ name: StaticString, _ get: @escaping Get<Value>, _ set: @escaping Set<Value>
  ) -> Member {
    Member(name) { (payload, reader) throws(MalformedPayload) in
      set(&payload, try Value(from: &reader))
    } write: { payload, writer in
      guard let value = get(payload) else { return }
      writer.name("\(name)")
      value.write(to: &writer)
    }
  }

  static func objects<Value: JSONPayload>(
    _ name: StaticString, _ get: @escaping Get<[Value]>, _ set: @escaping Set<[Value]>
  ) -> Member {
    Member(name) { (payload, reader) throws(MalformedPayload) in
      set(
        &payload, try reader.array { (reader) throws(MalformedPayload) in try Value(from: &reader) }
      )
    } write: { payload, writer in
      guard let values = get(payload) else { return }
      writer.name("\(name)")
      writer.array { writer in
        for value in values { value.write(to: &writer) }
      }
    }
  }

  static func texts(
    _ name: StaticString, _ get: @escaping Get<[String]>, _ set: @escaping Set<[String]>
  ) -> Member {
    Member(name) { (payload, reader) throws(MalformedPayload) in
      set(&payload, try reader.array { (reader) throws(MalformedPayload) in try reader.string() })
    } write: { payload, writer in
      guard let values = get(payload) else { return }
      writer.name("\(name)")
      writer.array { writer in
        for value in values { writer.string(value) }
      }
    }
  }
}

extension JSONReader {
  fileprivate mutating func array<Value>(
    _ element: (inout JSONReader) throws(MalformedPayload) -> Value
  ) throws(MalformedPayload) -> [Value] {
    try beginArray()
    var values: [Value] = []
    var first = true
    while try nextElement(first: &first) { values.append(try element(&self)) }
    return values
  }
}
