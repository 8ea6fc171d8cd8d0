package import AppStoreModel

extension DeliveryFaults {
  /// What a scenario plans, when its first step falls on `start`.
  package init(_ planned: PlannedFaults, from start: Timestamp) {
    self.init()
    duplicatedPerMille = planned.duplicatedPerMille
    droppedPerMille = planned.droppedPerMille
    delayedPerMille = planned.delayedPerMille
    greatestDelay = planned.greatestDelay
    resignsRetries = planned.resignsRetries
    outages = planned.outages.map { outage in
      let begin = start.adding(outage.start)
      return begin..<begin.adding(outage.length)
    }
  }
}
