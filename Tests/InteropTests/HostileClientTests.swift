import HTTP3Engine
import Testing

@testable import hostile_server

/// Our client's engine in each case of the table.
@Suite struct HostileClientTests {
  @Test(arguments: HostileCase.all)
  func theClientDoesWhatTheRuleSays(_ row: HostileCase) throws {
    let result = try HostileExchange(row).run()
    // Our client lets fields wait for QPACK's table, so that this one says nothing of it.
    guard row.name != "qpack-blocked-unasked" else {
      #expect(result.inapplicable != nil)
      return
    }
    #expect(result.inapplicable == nil)
    #expect(result.outcome.fit(row.demands) != .none, "\(row.name): \(result.outcome)")
    #expect(result.time <= row.limit, "\(row.name): \(result.time)")
    #expect(result.sent <= 100, "\(row.name): \(result.sent) datagrams")
  }
}
