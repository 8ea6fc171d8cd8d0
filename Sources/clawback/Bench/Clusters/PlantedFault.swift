import LedgerReports

/// A fault that the simulation puts in: refunds beside those that come anyway.
struct PlantedFault {
  let group: FaultGroup
  let firstDay: UTCDay
  let days: Int64
  /// How many refunds it is to give.
  let size: Int

  var lastDay: UTCDay { firstDay.adding(days - 1) }
}

/// A refund of the simulation, and the fault that it comes from; `nil` for one that comes anyway.
struct SimulatedRefund {
  let refund: FaultRefund
  let fault: Int?
}
