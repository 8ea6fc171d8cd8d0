import Testing

@testable import LedgerServer

/// Where a delivery may go, for every class of address there is.
struct IPAddressTests {
  private typealias Reach = IPAddress.Reach

  static let rows: [(text: String, reach: IPAddress.Reach)] = [
    // IPv4: one of every block of the registry, its first and last, and its neighbours.
    ("8.8.8.8", .publicUnicast), ("1.1.1.1", .publicUnicast), ("223.255.255.255", .publicUnicast),
    ("0.0.0.0", .other), ("0.255.255.255", .other), ("1.0.0.0", .publicUnicast),
    ("10.0.0.0", .privateNetwork), ("10.255.255.255", .privateNetwork),
    ("9.255.255.255", .publicUnicast), ("11.0.0.0", .publicUnicast),
    ("100.64.0.1", .privateNetwork), ("100.127.255.255", .privateNetwork),
    ("100.63.255.255", .publicUnicast), ("100.128.0.0", .publicUnicast),
    ("127.0.0.1", .loopback), ("127.255.255.254", .loopback), ("128.0.0.0", .publicUnicast),
    ("169.254.169.254", .other), ("169.253.0.1", .publicUnicast), ("169.255.0.1", .publicUnicast),
    ("172.16.0.1", .privateNetwork), ("172.31.255.255", .privateNetwork),
    ("172.15.255.255", .publicUnicast), ("172.32.0.0", .publicUnicast),
    ("192.0.0.8", .other), ("192.0.2.1", .other), ("192.0.1.1", .publicUnicast),
    ("192.88.99.1", .other), ("192.168.1.1", .privateNetwork), ("192.169.0.1", .publicUnicast),
    ("198.18.0.1", .other), ("198.19.255.255", .other), ("198.20.0.0", .publicUnicast),
    ("198.51.100.7", .other), ("203.0.113.7", .other), ("203.0.114.0", .publicUnicast),
    ("224.0.0.1", .other), ("239.255.255.255", .other), ("240.0.0.1", .other),
    ("255.255.255.255", .other),
    // IPv6.
    ("2606:4700:4700::1111", .publicUnicast), ("2a00:1450::1", .publicUnicast),
    ("::", .other), ("::1", .loopback), ("::2", .other), ("::7f00:1", .other),
    ("fc00::1", .privateNetwork), ("fdff:ffff::1", .privateNetwork), ("fe00::1", .other),
    ("fe80::1", .other), ("febf::1", .other), ("fec0::1", .other), ("ff02::1", .other),
    ("ff0e::1", .other), ("100::1", .other), ("5f00::1", .other), ("4000::1", .other),
    ("2001:2::1", .other), ("2001:10::1", .other), ("2001:20::1", .other), ("2001:1::1", .other),
    ("2001:200::1", .publicUnicast), ("2001:db8::1", .other), ("2001:db9::1", .publicUnicast),
    ("3fff::1", .other), ("3fff:1000::1", .publicUnicast),
    // IPv4 in IPv6: mapped.
    ("::ffff:8.8.8.8", .publicUnicast), ("::ffff:127.0.0.1", .loopback),
    ("::ffff:10.1.2.3", .privateNetwork), ("::ffff:169.254.169.254", .other),
    // NAT64, well known.
    ("64:ff9b::8.8.8.8", .publicUnicast), ("64:ff9b::127.0.0.1", .loopback),
    ("64:ff9b::10.0.0.1", .privateNetwork), ("64:ff9b::169.254.169.254", .other),
    ("64:ff9b:2::8.8.8.8", .other),
    // NAT64, of a site: at the end, or behind a prefix of 48, 56 or 64 bits.
    ("64:ff9b:1::8.8.8.8", .publicUnicast), ("64:ff9b:1::127.0.0.1", .loopback),
    ("64:ff9b:1:abcd::192.168.0.1", .privateNetwork), ("64:ff9b:1::169.254.169.254", .other),
    ("64:ff9b:1:7f00:0:100::", .other), ("64:ff9b:1:a00:0:100::", .other),
    ("64:ff9b:1::", .other),
    // 6to4 and Teredo.
    ("2002:808:808::1", .publicUnicast), ("2002:7f00:1::1", .loopback),
    ("2002:a00:1::1", .privateNetwork), ("2002:a9fe:a9fe::1", .other),
    ("2001:0:808:808:0:0:f7f7:f7f7", .publicUnicast),
    ("2001:0:808:808:0:0:80ff:fffe", .loopback),
    ("2001:0:7f00:1:0:0:f7f7:f7f7", .loopback),
    ("2001:0:808:808:0:0:f5ff:fffe", .privateNetwork),
    ("2001:0:808:808:0:0:5601:5601", .other),
  ]

  @Test(arguments: rows)
  func `an address reaches as far as the registries say, by whatever it is wrapped in`(
    text: String, reach: IPAddress.Reach
  ) throws {
    #expect(try #require(IPAddress(literal: text)).reach == reach, "\(text)")
  }

  @Test(arguments: [
    (IPAddress.Reach.publicUnicast, true, true), (.loopback, false, true),
    (.privateNetwork, false, true), (.other, false, false),
  ])
  func `only a trusted address leads into the operator's network, and none to a reserved one`(
    reach: IPAddress.Reach, isAllowed: Bool, isAllowedIfTrusted: Bool
  ) throws {
    for row in Self.rows where row.reach == reach {
      let address = try #require(IPAddress(literal: row.text))
      #expect(address.isAllowed(trusted: false) == isAllowed, "\(row.text)")
      #expect(address.isAllowed(trusted: true) == isAllowedIfTrusted, "\(row.text)")
    }
  }

  @Test(arguments: ["", "1.2.3", "1.2.3.4.5", "x", "::g", "0x7f.1", "010.0.0.1"])
  func `what is no address is read as none`(text: String) {
    #expect(IPAddress(literal: text) == nil)
  }
}
