import HTTPListener
import LedgerStorage

extension ServiceParts {
  /// Every route, but for the one that describes them.
  var routes: [Route] {
    let (ledger, readers) = (ledger, state.readers)
    return CustomerRoutes(readers: readers, clock: clock).routes
      + NotificationRoutes(intake: intake, pool: pool).routes
      + ReportRoutes(intake: intake, pool: pool, clock: clock, limits: configuration.limits).routes
      + PurchaseRoutes(ledger: ledger, clock: clock).routes
      + ConsentRoutes(ledger: ledger, readers: readers, clock: clock).routes
      + ErasureRoutes(ledger: ledger, clock: clock).routes
      + GrantRoutes(ledger: ledger, readers: readers, clock: clock).routes
      + CaseRoutes(readers: readers, clock: clock).routes
      + spendRoutes
      + QuarantineRoutes(readers: readers).routes
      + RefundRoutes(readers: readers).routes
      + ClusterRoutes(readers: readers).routes
      + MoneyRoutes(readers: readers, pool: pool).routes
      + AlertRoutes(readers: readers).routes
      + ReconciliationRoutes(
        readers: readers, reconciliation: reconciliation, clock: clock
      ).routes
      + WebhookRoutes(administration: webhooks, readers: readers).routes
      + AppRoutes(configuration: configuration, readers: readers).routes
      + CatalogRoutes(
        configuration: configuration, ledger: ledger, readers: readers, clock: clock,
        noteUnfilled: { [log] error in
          log.write(LogLine(.error, "lotsNotFilled").with("detail", error.description))
        }
      ).routes
      + HealthRoutes(service: state).routes
      + events.routes
  }

  private var spendRoutes: [Route] {
    let (ledger, readers, watch) = (ledger, state.readers, state.watch)
    let spending = configuration.spending
    return SpendRoutes(
      ledger: ledger, readers: readers, clock: clock, spending: spending, degraded: degraded,
      watch: watch
    ).routes
      + SpendReportRoutes(ledger: ledger, readers: readers, clock: clock, watch: watch).routes
      + BalanceRoutes(ledger: ledger, readers: readers, clock: clock).routes
      + RunningCostRoutes(ledger: ledger, readers: readers, clock: clock).routes
      + PayoutRoutes(ledger: ledger, readers: readers, clock: clock, spending: spending).routes
  }
}
