import EventLedger
import EventLedgerPostgres
import Glibc
import TestSupport
import Testing

/// Servers that come and go in the place of another: one of several hosts, one that was demoted.
@Suite(
  .timeLimit(.minutes(10)), .enabled(if: PostgresCluster.isExpected, "PostgreSQL: Tools/setup --tests installs it"))
struct PostgresRolesTests {
  private func code(_ body: () async throws -> Void) async -> LedgerError.Code? {
    do {
      try await body()
      return nil
    } catch { return (error as? LedgerError)?.code }
  }

  /// The connection's server takes no writes any more; the next connection is another's.
  @Test func aDemotedServerIsLeft() async throws {
    let url = try PostgresCluster.get().makeDatabase()
    let ledger = try await PostgresEventLedger.open(url, limits: PostgresLimits(connections: 1))
    _ = try await ledger.rows.read { try $0.run("SET default_transaction_read_only = on", []) }
    #expect(
      await code { _ = try await ledger.lease("s", to: "one", for: .seconds(10)) }
        == .unavailable(mayHaveHappened: false))
    #expect(try await ledger.lease("s", to: "one", for: .seconds(10)).fence == 1)
    ledger.close()
  }

  @Test func aServerThatTakesNoWritesIsAsGoodAsNone() async throws {
    let cluster = try PostgresCluster.get()
    let url = try cluster.makeDatabase()
    try cluster.run(
      """
      DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$
      """, in: url)
    let error = await #expect(throws: LedgerError.self) { _ = try await PostgresEventLedger.open(url) }
    #expect(error?.code == .unavailable(mayHaveHappened: false))
    #expect(error?.message.contains("read-only") == true)
  }

  /// Each host has a time of its own.
  @Test func aSilentHostIsPassedOver() async throws {
    let silent = try SilentHost()
    let cluster = try PostgresCluster.get()
    let database = try cluster.makeDatabase()
    let url = database.replacing(
      "host=\(cluster.folder)", with: "host=127.0.0.1,\(cluster.folder)&port=\(silent.port),5432")
    let ledger = try await PostgresEventLedger.open(
      url, limits: PostgresLimits(connections: 1, connectTimeout: .seconds(2)))
    #expect(try await ledger.lease("s", to: "one", for: .seconds(10)).fence == 1)
    ledger.close()
    withExtendedLifetime(silent) {}
  }
}

/// A port on which connections are made, by the kernel, and nobody ever answers.
private final class SilentHost {
  private let descriptor: Int32
  let port: UInt16

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) | listen(descriptor, 16) | getsockname(descriptor, address, &length)
      }
    }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
    try #require(result == 0)
  }

  deinit { close(descriptor) }
}
