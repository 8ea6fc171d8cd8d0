/// One thing that `clawback` can do.
///
/// A command declares its options and operands as stored properties, names them in its ``usage``,
/// and reads them by subscript: `arguments[port]`. It runs on the main thread, prints its result on
/// the console's output and everything else on the console's diagnostics.
///
/// Errors: thrown values are shown on the diagnostics. ``CommandFailure`` carries its own exit code
/// and advice; every other error ends in ``ExitCode/failure``.
protocol Command: Sendable {
  var usage: Usage { get }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode
}
