/// Every command there is, in the order in which the help lists them.
enum CommandList {
  static let all: [any Command] = [
    DemoCommand(),
    ServeCommand(),
    InitCommand(),
    KeysCreateCommand(),
    KeysListCommand(),
    KeysRevokeCommand(),
    WebhooksListCommand(),
    WebhooksCreateCommand(),
    WebhooksRotateCommand(),
    WebhooksTestCommand(),
    WebhooksDeliveriesCommand(),
    WebhooksReplayCommand(),
    WebhookOrderCommand.disable,
    WebhookOrderCommand.wake,
    WebhookOrderCommand.delete,
    QuarantineListCommand(),
    QuarantineRetryCommand(),
    ReconcileCommand(),
    ImportCommand(),
    ReportGapsCommand(),
    ReportCoverageCommand(),
    ReportLateSpendCommand(),
    ReportSignalsCommand(),
    ReportRefundsCommand(),
    ReportClustersCommand(),
    DoctorCommand(),
    BackupCommand(),
    RestoreCommand(),
    InspectCommand(),
    ReplayCommand(),
    SimulateCommand(),
    BenchVerifyCommand(),
    BenchReplayCommand(),
    BenchClientCommand(),
    BenchRevokeLatencyCommand(),
    BenchClustersCommand(),
    BenchReportsCommand(),
  ]

  /// What this process was started for; `nil` where the command line names none of them.
  static var running: String? {
    Dispatcher(commands: all).command(named: Array(CommandLine.arguments.dropFirst()))?.usage.name
  }
}
