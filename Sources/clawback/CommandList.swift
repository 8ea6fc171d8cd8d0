/// Every command there is, in the order in which the help lists them.
enum CommandList {
  static let all: [any Command] = [
    DemoCommand(),
    ServeCommand(),
    InitCommand(),
    KeysCreateCommand(),
    KeysListCommand(),
    KeysRevokeCommand(),
    QuarantineListCommand(),
    QuarantineRetryCommand(),
    ReconcileCommand(),
    ImportCommand(),
    ReportGapsCommand(),
    ReportCoverageCommand(),
    ReportLateSpendCommand(),
    ReportSignalsCommand(),
    ReportRefundsCommand(),
    DoctorCommand(),
    InspectCommand(),
    ReplayCommand(),
    SimulateCommand(),
    BenchVerifyCommand(),
    BenchReplayCommand(),
    BenchClientCommand(),
    BenchRevokeLatencyCommand(),
  ]
}
