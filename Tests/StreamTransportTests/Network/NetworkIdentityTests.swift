import HTTP3Engine
import StreamTransport
import Testing

@Suite struct NetworkIdentityTests {
  private static let ipv4 = """
    Iface Destination Gateway  Flags RefCnt Use Metric Mask  MTU Window IRTT
    eth0 00000000 0101A8C0 0003 0 0 100 00000000 0 0 0
    wlan0 00000000 0102A8C0 0003 0 0 600 00000000 0 0 0
    eth0 0001A8C0 00000000 0001 0 0 100 00FFFFFF 0 0 0
    """
  private static let zeros = String(repeating: "0", count: 32)
  private static let ipv6 = """
    20010db8000000000000000000000000 40 \(zeros) 00 \(zeros) 00000100 00000001 00000000 00000001     eth0
    \(zeros) 00 \(zeros) 00 fe800000000000000000000000000001 00000400 00000003 00000000 00000003     eth0
    \(zeros) 00 \(zeros) 00 \(zeros) ffffffff 00000001 00000000 00200200       lo
    """

  private func id(_ ipv4: String = ipv4, _ ipv6: String = ipv6, _ sources: [String] = ["192.168.1.7"]) -> String {
    NetworkIdentity(
      ipv4Routes: ipv4, ipv6Routes: ipv6, sources: sources.compactMap { NetworkAddress(literal: $0, port: 4_000) }
    ).id
  }

  @Test func theSameNetworkHasTheSameName() {
    #expect(id() == id())
    #expect(id().utf8.count == 16)
    // Counters, other routes, and the route that is not taken.
    #expect(id(Self.ipv4.replacing("0003 0 0 100", with: "0003 5 9 100")) == id())
    #expect(id(Self.ipv4.replacing("0102A8C0", with: "0103A8C0")) == id())
    #expect(id(Self.ipv4.replacing(" ", with: "\t")) == id(), "as the kernel writes it")
    #expect(id(Self.ipv4.replacing("00FFFFFF", with: "0000FFFF")) == id())
    #expect(id(Self.ipv4, Self.ipv6.replacing("00000003 00000000", with: "00000009 00000007")) == id())
  }

  @Test func anotherNetworkHasAnother() {
    var ids = [id()]
    ids.append(id(Self.ipv4.replacing("0101A8C0", with: "0101A8C1")))
    ids.append(id(Self.ipv4.replacing("eth0", with: "eth1")))
    ids.append(id(Self.ipv4.replacing("600", with: "50")))
    ids.append(
      id(Self.ipv4, Self.ipv6.replacing("fe800000000000000000000000000001", with: "fe800000000000000000000000000002")))
    ids.append(id(Self.ipv4, ""))
    ids.append(id("", Self.ipv6))
    ids.append(id(Self.ipv4, Self.ipv6, ["192.168.1.8"]))
    ids.append(id(Self.ipv4, Self.ipv6, []))
    #expect(Set(ids).count == ids.count)
  }

  @Test func anIPv6HostThatChangesItsAddressStaysWhereItIs() {
    #expect(id("", "", ["2001:db8::1"]) == id("", "", ["2001:db8::2"]))
    #expect(id("", "", ["2001:db8::1"]) != id("", "", ["2001:db8:0:1::1"]))
  }

  @Test(arguments: ["\n\n", "x", "eth0 0 0", "eth0 00000000 0 zz 0 0 -1 00000000", "\u{0}\t\u{FFFD} \n"])
  func tablesThatCannotBeReadHaveNoRoute(table: String) {
    #expect(id(table, table) == id("", ""))
  }

  @Test func thisMachinesNetworkHasAName() {
    #expect(NetworkIdentity.current.utf8.count == 16)
  }
}
