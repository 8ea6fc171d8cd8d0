import Testing

@testable import clawback

struct HelpTextTests {
  @Test(arguments: ["paint --help", "paint -h", "help paint", "paint north --coats x --help"])
  func `help is written from the usage`(line: String) {
    let captured = CapturedConsole()
    let words = line.split(separator: " ").map(String.init)
    let code = Dispatcher(commands: [PaintCommand()]).run(words, on: captured.console())
    #expect(code == .success)
    #expect(
      captured.output == """
        Paint a wall.

        Usage: clawback paint WALL [SHADE…] --customer NAME [OPTIONS]

        It begins at the top.

        Operands:
          WALL   The wall to paint.
          SHADE  The shades, in order.

        Options:
          --coats N            Paint this often. Default: 2.
          --width N            Use a brush of this width.
          --tool brush|roller  Paint with this.
          --title TEXT         Sign the work.
          --place TEXT         Where the wall is. Default: indoors.
          --avoid AREA         Leave this out. May be repeated.
          --customer NAME      Who pays.
          --dry-run            Change nothing.
          --help               Show this.

        Example:
          clawback paint north blue --customer ann --coats 3

        Exit codes:
          0  The wall is painted.
          1  The paint ran out.
          2  The command line cannot be used.

        """)
  }
}
