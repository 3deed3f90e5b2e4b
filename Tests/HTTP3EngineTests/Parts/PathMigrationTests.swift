import Testing

@testable import HTTP3Engine

/// Which moves a client may make, and which order waits (RFC 9000 § 9).
@Suite struct PathMigrationTests {
  private func address(_ port: UInt16) -> NetworkAddress { NetworkAddress(ip: .v4(0x0a00_0001), port: port) }

  private func order(_ port: UInt16) -> PathMigration.Order {
    PathMigration.Order(path: NetworkPath(local: address(port), remote: address(443)), kind: .probed)
  }

  @Test func aLaterOrderReplacesTheOneThatWaits() {
    var migration = PathMigration()
    migration.queue(order(1))
    migration.queue(order(2))
    let first = migration.takeQueued()
    let second = migration.takeQueued()
    #expect(first == order(2) && second == nil)
  }

  @Test func anAddressIsNotUsedAgainWhilePacketsMayBeOnTheirWayToIt() {
    var migration = PathMigration()
    let stays = migration.take(address(1), from: address(1))
    let moves = migration.take(address(2), from: address(1))
    let returns = migration.take(address(1), from: address(2))
    #expect(!stays && moves && !returns)
    // Sixteen moves later it has been forgotten.
    let moved = (2..<UInt16(18)).map { migration.take(address($0 + 1), from: address($0)) }
    let returnsLater = migration.take(address(1), from: address(18))
    #expect(!moved.contains(false) && returnsLater)
  }
  @Test func thePreferredAddressIsOfTheFamilyInUseAndNotOfThisMachine() {
    let v4 = NetworkAddress(ip: .v4(0x0a00_0002), port: 443)
    let v6 = NetworkAddress(ip: .v6(0x2001_0db8 << 32, 2, scope: 0), port: 443)
    let current = NetworkAddress(ip: .v6(0x2001_0db8 << 32, 1, scope: 0), port: 443)
    #expect(PathMigration.preferredAddress(among: [v4, v6], current: current) == v6)
    #expect(PathMigration.preferredAddress(among: [v4], current: current) == v4)
    #expect(PathMigration.preferredAddress(among: [], current: current) == nil)
    // RFC 9000 § 21.5.6.
    let own = NetworkAddress.loopback(port: 443)
    #expect(PathMigration.preferredAddress(among: [own], current: current) == nil)
    #expect(PathMigration.preferredAddress(among: [own], current: .loopback(port: 1)) == own)
  }
}
