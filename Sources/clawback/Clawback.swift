import Glibc

/// The command line.
@main
struct Clawback {
  static let version = "0.1.0"

  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    let code = Dispatcher(commands: CommandList.all).run(words, on: .standard)
    exit(code.rawValue)
  }
}
