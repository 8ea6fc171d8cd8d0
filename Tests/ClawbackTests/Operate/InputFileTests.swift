import Testing

@testable import clawback

struct InputFileTests {
  @Test func `a file without end is refused before it fills the memory`() {
    let failure = #expect(throws: CommandFailure.self) {
      try InputFile.read("/dev/zero", mebibytes: 2)
    }
    #expect(failure?.description == "/dev/zero is larger than 2 MiB.")
    #expect(failure?.code == .unusable)
  }

  @Test(arguments: [
    ["inspect", "/dev/zero"], ["keys", "list", "--config", "/dev/zero"],
    ["simulate", "/dev/zero"],
  ])
  func `every command that reads a file bounds it`(words: [String]) {
    let captured = CapturedConsole()
    #expect(
      Dispatcher(commands: CommandList.all).run(words, on: captured.console()) == .unusable)
    #expect(captured.diagnostics.contains("/dev/zero is larger than "))
  }
}
