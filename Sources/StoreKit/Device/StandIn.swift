/// The place where a device is bound to the stand-in.
package enum StandIn {
  /// The device that answers in this task and those it starts; without one the store is silent.
  @TaskLocal package static var device: (any StoreKitDevice)?
}
