package import AppStoreModel
import LedgerReports

extension JSONWriter {
  /// A cluster as events and the report show it; a mark that the group leaves open is left out.
  package mutating func cluster(_ stored: StoredCluster) {
    let cluster = stored.cluster
    object { writer in
      writer.member("cluster", stored.position)
      writer.member("summary", cluster.sentence)
      if case .only(let product) = cluster.group.productId {
        writer.member("productId", product)
      }
      if case .only(let version) = cluster.group.appVersion {
        writer.member("appVersion", version ?? "unknown")
      }
      if case .only(let storefront) = cluster.group.storefront {
        writer.member("storefront", storefront ?? "unknown")
      }
      if case .only(let week) = cluster.group.purchaseWeek {
        writer.member("purchaseWeek", week.text)
      }
      writer.member("firstDay", cluster.firstDay.text)
      writer.member("lastDay", cluster.lastDay.text)
      writer.member("refunds", cluster.refunds)
      writer.member("expectedThousandths", cluster.expectedThousandths)
      writer.member("oneIn", cluster.oneIn)
      writer.member("toldAtMs", stored.toldAt.millisecondsSince1970)
    }
  }
}
