import EventLedger
import StreamTransport
import TestSupport
import Testing

@testable import EventLedgerPostgres

/// Whom a ledger talks to.
@Suite(
  .timeLimit(.minutes(10)), .enabled(if: PostgresCluster.isExpected, "PostgreSQL: Tools/setup --tests installs it"))
struct PostgresTLSTests {
  @Test func onlyTheServerThatTheAddressNamesIsTalkedTo() async throws {
    let cluster = try PostgresCluster(settings: ["fsync=off"], certificateName: "localhost")
    defer { cluster.stop() }
    let port = try #require(cluster.url.split(separator: "port=").last)
    func address(_ host: String, _ options: String) -> String {
      "postgresql://ledger@\(host):\(port)/postgres\(options)"
    }
    let authority = "?sslrootcert=\(cluster.folder)/authority.pem"

    let ledger = try await PostgresEventLedger.open(address("localhost", authority))
    let encrypted = try await ledger.rows.read { access in
      try access.run("SELECT count(*) FROM pg_stat_ssl WHERE ssl AND pid = pg_backend_pid()", [])
    }
    #expect(encrypted == [TableRow([.integer(1)])])
    ledger.close()

    // A name with several addresses: the first is silent, and has its own time. The name is verified at each.
    let silent = try BoundSocket(.tcp, at: "127.0.0.2", port: try #require(UInt16(port)))
    try silent.listen(queue: 16)
    let limits = PostgresLimits(connectTimeout: .seconds(2))
    let reached = try PostgresConnection.open(address("localhost", authority), limits: limits) { _ in
      ["127.0.0.2", "127.0.0.1"]
    }
    #expect(
      try reached.run([PostgresStatement("SELECT host(inet_server_addr())", [])]).first?.first?.text(0) == "127.0.0.1")
    #expect(throws: LedgerError.self) {
      _ = try PostgresConnection.open(address("other", authority), limits: limits) { _ in ["127.0.0.1", "127.0.0.1"] }
    }
    withExtendedLifetime(silent) {}

    let refusals = [
      // Another name, an authority that nobody knows, and a file that is not there.
      (address("127.0.0.1", authority), "does not match"), (address("localhost", ""), "certificate verify failed"),
      (address("localhost", "?sslrootcert=/nowhere.pem"), "/nowhere.pem"),
    ]
    for (url, reason) in refusals {
      let error = await #expect(throws: LedgerError.self) { _ = try await PostgresEventLedger.open(url) }
      #expect(error?.code == .unavailable(mayHaveHappened: false))
      #expect(error?.message.contains(reason) == true && error?.message.contains("sslrootcert=FILE") == true, "\(url)")
    }
  }
}
