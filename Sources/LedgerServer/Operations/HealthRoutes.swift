import HTTPListener
import AppStoreModel
import LedgerStorage

/// Whether the server lives, whether it can serve, and what it counts.
struct HealthRoutes {
  let service: ServiceState

  var routes: [Route] {
    [
      Route.get("/healthz", .open) { _ throws(Problem) in .text("ok\n") },
      Route.get("/readyz", .open) { [service] _ throws(Problem) in service.readiness() },
      Route.get("/metrics", .readers) { [service] _ throws(Problem) in
        .text(service.metricsText(), type: "text/plain; version=0.0.4; charset=utf-8")
      },
    ]
  }
}
