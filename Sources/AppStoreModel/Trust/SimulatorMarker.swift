/// The mark that every certificate of the simulated App Store carries.
///
/// The `apple` realm refuses a chain that carries it, even under a root that its operator
/// configured, so that a simulated purchase can never pass for a real one.
public enum SimulatorMarker {
  /// The certificate extension that is the mark; its value is not read.
  ///
  /// Shape: an object identifier in dotted form, of the arc that needs no registration: 2.25 and
  /// the number of a random UUID.
  ///
  /// Source: Rec. ITU-T X.667, section 7.
  public static let objectIdentifier = "2.25.183596582022466822554721818289293554626"
}
