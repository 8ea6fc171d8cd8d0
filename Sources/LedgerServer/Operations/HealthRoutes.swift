import AppStoreModel
import HTTPListener
import LedgerStorage

/// Whether the server lives, whether it can serve, and what it counts.
struct HealthRoutes {
  let service: ServiceState
  /// Who may see what the server counts.
  var access = Route.Access.readers

  var routes: [Route] {
    [
      Route.get("/healthz", .open) { _ throws(Problem) in .text("ok\n") },
      Route.get("/readyz", .open) { [service] _ throws(Problem) in service.readiness() },
      Route.get("/metrics", access) { [service] _ throws(Problem) in
        .text(service.metricsText(), type: "text/plain; version=0.0.4; charset=utf-8")
      },
    ]
  }
}
