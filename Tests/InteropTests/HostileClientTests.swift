import HTTP3Engine
import Testing

@testable import hostile_server

/// Our client's engine in each case of the table.
@Suite struct HostileClientTests {
  /// Where nghttp3 1.8 decides, before the engine can, in another way than the rule says.
  private static let deviations: [String: Outcome] = [
    // It drops a field with a forbidden name or value in place of the whole message (RFC 9114 § 10.3).
    "name-empty": .success, "name-with-space": .success, "name-with-newline": .success,
    "value-with-newline": .success, "value-with-nul": .success,
    // A frame behind the trailers is H3_MESSAGE_ERROR, a PUSH_PROMISE H3_FRAME_UNEXPECTED.
    "data-after-trailers": .connectionError(.http(.messageError)),
    "headers-after-trailers": .connectionError(.http(.messageError)),
    "push-promise": .connectionError(.http(.frameUnexpected)),
  ]

  @Test(arguments: HostileCase.all)
  func theClientDoesWhatTheRuleSays(_ row: HostileCase) throws {
    let result = try HostileExchange(row).run()
    // Our client lets fields wait for QPACK's table, so that this one says nothing of it.
    guard row.name != "qpack-blocked-unasked" else {
      #expect(result.inapplicable != nil)
      return
    }
    #expect(result.inapplicable == nil)
    if let deviation = Self.deviations[row.name] {
      #expect(result.outcome == deviation, "\(row.name): mended; take it out of the deviations.")
    } else {
      #expect(result.outcome.fit(row.demands) != .none, "\(row.name): \(result.outcome)")
    }
    #expect(result.time <= row.limit, "\(row.name): \(result.time)")
    #expect(result.sent <= 100, "\(row.name): \(result.sent) datagrams")
  }

  @Test func deviationsAreOfTheTable() {
    let names = Set(HostileCase.all.map(\.name))
    #expect(Self.deviations.keys.allSatisfy(names.contains))
  }
}
