import LedgerServer
import LedgerStorage

extension CommandFailure {
  /// A server that cannot be set up: unusable where what the configuration says is at fault.
  init(_ error: ServiceError, in file: String? = nil) {
    let place = file.map { $0 + ": " } ?? ""
    self.init(
      "\(place)\(error)", advice: error.advice,
      code: error.isConfiguration ? .unusable : .failure)
  }

  /// A ledger that cannot be opened: unusable unless it can be as soon as another lets it go.
  init(_ error: StoreOpeningError) {
    self.init(
      "\(error)", advice: error.advice, code: error.isTransient ? .failure : .unusable)
  }
}
