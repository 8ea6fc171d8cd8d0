@testable import clawback

/// A command that uses every kind of parameter once, and answers with what it read.
struct PaintCommand: Command {
  let wall = Operand.required("WALL", "The wall to paint.")
  let shades = Operand<[String]>.rest("SHADE", "The shades, in order.")
  let coats = Option<Int>.number("coats", in: 1...9, default: 2, "Paint this often.")
  let width = Option<Int?>.number("width", in: 1...500, "Use a brush of this width.")
  let tool = Option.choice("tool", ["brush", "roller"], "Paint with this.")
  let title = Option<String?>.text("title", "TEXT", "Sign the work.")
  let place = Option<String>.text("place", "TEXT", default: "indoors", "Where the wall is.")
  let avoid = Option.list("avoid", "AREA", "Leave this out.")
  let customer = Option.required("customer", "NAME", "Who pays.")
  let dry = Option.flag("dry-run", "Change nothing.")

  var usage: Usage {
    Usage(
      "paint", "Paint a wall.",
      discussion: "It begins at the top.",
      operands: [wall, shades],
      options: [coats, width, tool, title, place, avoid, customer, dry],
      example: "clawback paint north blue --customer ann --coats 3",
      exitCodes: [(.success, "The wall is painted."), (.failure, "The paint ran out.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    if arguments[wall] == "wet" {
      throw CommandFailure("The wall is wet.", advice: "Wait a day.", code: ExitCode(rawValue: 7))
    }
    console.print(
      [
        arguments[wall], arguments[shades].joined(separator: "+"), "\(arguments[coats])",
        arguments[width].map(String.init) ?? "-", arguments[tool] ?? "-", arguments[title] ?? "-",
        arguments[place], arguments[avoid].joined(separator: "+"), arguments[customer],
        arguments[dry] ? "dry" : "real",
      ].joined(separator: "|"))
    return .success
  }
}

/// One of a family of commands with a common first word.
struct KeyCommand: Command {
  let verb: String
  let name = Operand.optional("NAME", "The key.")

  var usage: Usage {
    Usage(
      "ring \(verb)", "Do \(verb) with a key.", operands: [name], options: [Option.json],
      example: "clawback ring \(verb)", exitCodes: [(.success, "Done.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    if arguments[Option.json] {
      try console.print(json: ["verb": verb, "name": arguments[name] ?? "none", "path": "a/b"])
    } else {
      console.print("\(verb) \(arguments[name] ?? "none")")
    }
    return .success
  }
}
