import AppStoreModel

extension SimulatedDevice {
  /// What happens inside is announced to nobody, as while the app is closed.
  public func whileClosed<Value>(_ body: (SimulatedDevice) -> Value) -> Value {
    locked { isQuiet = true }
    defer { locked { isQuiet = false } }
    return body(self)
  }

  /// Loses the network: nothing new is announced, and what needs it throws.
  public func goOffline() { mutate { $0.switches.isOffline = true } }

  /// Finds the network again; what happened meanwhile shows at the next look.
  public func comeOnline() { mutate { $0.switches.isOffline = false } }

  /// Nobody is signed in to the App Store any more.
  public func signOut() { mutate { $0.owner = nil } }

  /// Another customer signs in, named by a number of the test's choice.
  public func signIn(as customer: Int) {
    mutate { $0.owner = "7010000000000\(10_000 + customer)" }
  }

  /// Lets StoreKit list nothing, whatever is owned, until told otherwise.
  public func listNothing(_ isSilent: Bool = true) {
    mutate { $0.switches.listsNothing = isSilent }
  }

  /// Lets StoreKit's listings show new purchases only after so many milliseconds.
  public func lagListings(milliseconds: Int) {
    mutate { $0.switches.listingLag = TimeSpan(milliseconds: Int64(milliseconds)) }
  }

  /// Lets StoreKit's question for a subscription's state fail.
  public func failStatuses(_ isFailing: Bool = true) {
    mutate { $0.switches.statusesThrow = isFailing }
  }

  /// Lets StoreKit's check of a transaction fail, with the name of its error.
  public func breakSignature(_ id: SimulatedTransactionID, error: String = "invalidSignature") {
    mutate { $0.change(id) { $0.failure = error } }
  }

  /// Runs another system, which shows what it knows of.
  public func run(_ system: SimulatedSystem) { mutate { $0.switches.system = system } }

  /// Sets the device's clock, forwards or backwards, without time passing.
  public func setClock(toDaysFromNow days: Int) {
    mutate { $0.now = $0.now.adding(.days(Int64(days))) }
  }
}
