import HTTP3Engine
import TestSupport
import Testing

/// A connection's migrations in its trace.
@Suite struct MigrationTraceTests {
  @Test func theTraceContainsIt() throws {
    let pair = try QUICPair.make(clientLimits: { $0.qlog = QlogConfiguration() })
    let stream = TickingStream(on: pair)
    try stream.open()
    let dead = MigrationTests.path(of: pair, to: MigrationTests.address(1))
    pair.translator.cutOff(dead.local)
    #expect(pair.client.migrate(to: dead, .probed, at: pair.now) == .started)
    try pair.run(for: .seconds(2))
    let new = MigrationTests.path(of: pair, to: MigrationTests.address(2))
    #expect(pair.client.migrate(to: new, .immediate, at: pair.now) == .started)
    try pair.run(for: .seconds(1))
    let records = String(decoding: try #require(pair.client.takeQlog()).bytes, as: UTF8.self).split(separator: "\n")
    let steps = records.filter { $0.contains("connectivity:migration_state_updated") }
    let expected = [
      ("probing_started", dead), ("migration_abandoned", dead), ("migration_started", new), ("migration_complete", new),
    ]
    #expect(steps.count == expected.count)
    for (step, (name, path)) in zip(steps, expected) {
      #expect(step.contains("\"new\":\"\(name)\",\"local\":\"\(path.local)\""))
    }
  }
}
