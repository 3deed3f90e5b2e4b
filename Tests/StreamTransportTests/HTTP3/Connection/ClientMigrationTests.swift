import HTTP3Engine
import Testing

@testable import StreamTransport

@Suite struct ClientMigrationTests {
  private let migration = ClientMigration()
  private let home = Self.path(1, port: 1)
  private let cafe = Self.path(2, port: 2)

  private static func path(_ host: UInt32, port: UInt16) -> NetworkPath {
    NetworkPath(
      local: NetworkAddress(ip: .v4(0x0a00_0000 + host), port: port),
      remote: NetworkAddress(ip: .v4(0xc000_0201), port: 443))
  }

  @Test func theSameAddressIsNoReasonToMove() {
    #expect(migration.plan(for: Self.path(1, port: 9), from: home, hasAddress: true) == .stay)
    #expect(migration.plan(for: Self.path(1, port: 9), from: home, hasAddress: false) == .stay)
  }

  @Test func anAddressThatIsGoneIsLeftAtOnce() {
    #expect(migration.plan(for: cafe, from: home, hasAddress: true) == .migrate(.probed))
    #expect(migration.plan(for: cafe, from: home, hasAddress: false) == .migrate(.immediate))
  }

  @Test func aPathIsTriedOnceUnlessTheOldOneIsGone() {
    var migration = migration
    migration.begin(cafe, from: home)
    let again = Self.path(2, port: 3)
    #expect(migration.plan(for: again, from: home, hasAddress: true) == .wait)
    #expect(migration.plan(for: again, from: home, hasAddress: false) == .migrate(.immediate))
    #expect(migration.plan(for: Self.path(3, port: 3), from: home, hasAddress: true) == .migrate(.probed))
  }

  @Test func aMigrationCountsWhenThePathInUseHasAnswered() {
    var migration = migration
    #expect(migration.validated(cafe, current: cafe) == nil, "Nothing was tried.")
    migration.begin(cafe, from: home)
    #expect(migration.validated(cafe, current: home) == nil && migration.validated(home, current: home) == nil)
    #expect(migration.count == 0)
    #expect(migration.validated(cafe, current: cafe) == home)
    #expect(migration.validated(cafe, current: cafe) == nil && migration.count == 1)
  }

  @Test func theSocketsOfBothPathsAreNeededWhileOneIsTried() {
    var migration = migration
    #expect(migration.addresses(with: home) == [home.local])
    migration.begin(cafe, from: home)
    #expect(migration.addresses(with: home) == [home.local, cafe.local])
    #expect(!migration.failed(home) && migration.failed(cafe) && !migration.failed(cafe))
    #expect(migration.addresses(with: home) == [home.local])
    migration.begin(cafe, from: home)
    migration.withdraw()
    #expect(migration.addresses(with: home) == [home.local] && migration.count == 0)
  }
}
