extension Money {
  /// The amount with its currency's decimals and code: `4.99 USD`, `500 JPY`, `1.250 KWD`.
  ///
  /// A third decimal that is not zero is shown whatever the currency: nothing is rounded away.
  package var text: String {
    let magnitude = milliunits.magnitude
    let thousandths = magnitude % 1_000
    var decimals = String(String(1_000 + thousandths).dropFirst())
    while decimals.count > currency.decimals, decimals.last == "0" { decimals.removeLast() }
    let sign = milliunits < 0 ? "-" : ""
    return "\(sign)\(magnitude / 1_000)\(decimals.isEmpty ? "" : "." + decimals) \(currency.code)"
  }
}

extension Currency {
  /// How many decimals amounts are written with.
  ///
  /// Source: ISO 4217, for the currencies of the App Store that do not have two.
  var decimals: Int {
    switch code {
    case "CLP", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF", "XPF", "ISK", "RWF": 0
    case "BHD", "JOD", "KWD", "OMR", "TND", "IQD", "LYD": 3
    default: 2
    }
  }
}
