import HTTPListener
import AppStoreModel

/// Describes the routes to programs.
///
/// Source: the OpenAPI Specification, version 3.1.0.
struct OpenAPI {
  private let routes: [Route]

  init(_ routes: [Route]) {
    self.routes = routes
  }

  func route(_ access: Route.Access = .readers) -> Route {
    let document = self.document
    return Route.get("/openapi.json", access) { _ throws(Problem) in .json(document) }
  }

  private var document: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("openapi", "3.1.0")
      writer.name("info")
      writer.object { writer in
        writer.member("title", "Clawback")
        writer.member("version", "1")
      }
      writer.name("paths")
      writer.object { writer in
        for path in Set(routes.map(\.pattern.text)).sorted() {
          writer.name(path)
          writer.object { writer in
            for route in routes where route.pattern.text == path { operation(route, &writer) }
          }
        }
      }
      writer.name("components")
      writer.object { writer in
        writer.name("securitySchemes")
        writer.raw(#"{"key":{"type":"http","scheme":"bearer"}}"#.utf8)
      }
    }
    return writer.bytes
  }

  private func operation(_ route: Route, _ writer: inout JSONWriter) {
    writer.name(route.method.lowercased())
    writer.object { writer in
      writer.name("parameters")
      writer.array { writer in
        for case .parameter(let name) in route.pattern.segments {
          writer.object { writer in
            writer.member("name", name)
            writer.member("in", "path")
            writer.member("required", true)
            writer.name("schema")
            writer.raw(#"{"type":"string"}"#.utf8)
          }
        }
        for parameter in route.queries { query(parameter, &writer) }
      }
      if route.body.hasMembers { requestBody(route.body, &writer) }
      if case .keys(let scopes) = route.access {
        writer.name("security")
        writer.raw(#"[{"key":[]}]"#.utf8)
        writer.name("x-key-scopes")
        writer.array { writer in
          for scope in scopes.map(\.rawValue).sorted() { writer.string(scope) }
        }
      }
      writer.name("responses")
      writer.raw(OpenAPI.responses.utf8)
    }
  }

  private func query(_ parameter: QueryParameter, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", parameter.name)
      writer.member("in", "query")
      writer.member("description", parameter.description)
      writer.name("schema")
      writer.raw(parameter.schema.utf8)
    }
  }

  private func requestBody(_ shape: BodyShape, _ writer: inout JSONWriter) {
    writer.name("requestBody")
    writer.object { writer in
      writer.name("content")
      writer.object { writer in
        writer.name("application/json")
        writer.object { writer in
          writer.name("schema")
          writer.schema(shape)
        }
      }
    }
  }

  private static let responses = """
    {"200":{"description":"Done."},"default":{"description":"A problem document.",\
    "content":{"application/problem+json":{"schema":{"type":"object"}}}}}
    """
}

extension JSONWriter {
  /// The names of a body's members; what their values must be stands in the API's documentation.
  fileprivate mutating func schema(_ shape: BodyShape) {
    object { writer in
      switch shape {
      case .any, .value: return
      case .list(let items):
        writer.member("type", "array")
        writer.name("items")
        writer.schema(items)
      case .object(let members):
        writer.member("type", "object")
        writer.name("properties")
        writer.object { writer in
          for name in members.keys.sorted() {
            writer.name(name)
            writer.schema(members[name] ?? .value)
          }
        }
        writer.member("additionalProperties", false)
      }
    }
  }
}
