import Testing

@testable import LinkModel

@Suite struct OpportunityTests {
  static func run(_ opportunities: [Int], queuePackets: Int? = nil) throws -> LinkRun {
    try LinkRun {
      $0.deliveryOpportunitiesMilliseconds = opportunities
      $0.queuePackets = queuePackets
    }
  }

  static func milliseconds(_ run: LinkRun) -> [Int64?] { run.entries.map { $0.due.map { $0 / LinkRun.millisecond } } }

  @Test("Each opportunity carries 1 500 bytes and the trace begins again at its end")
  func full() throws {
    var run = try Self.run([2, 5, 5, 10])
    run.send(10, everyMilliseconds: 0, bytes: 1500)
    #expect(Self.milliseconds(run) == [2, 5, 5, 10, 12, 15, 15, 20, 22, 25])
  }

  @Test("Small packets share an opportunity, large ones take several")
  func sizes() throws {
    var small = try Self.run([2, 5, 10])
    small.send(7, everyMilliseconds: 0, bytes: 500)
    #expect(Self.milliseconds(small) == [2, 2, 2, 5, 5, 5, 10])
    var large = try Self.run([2, 5, 10])
    large.send(2, everyMilliseconds: 0, bytes: 2000)
    large.send(1, everyMilliseconds: 0, bytes: 500)
    #expect(Self.milliseconds(large) == [5, 10, 10])
  }

  @Test("What is not used is lost, and an opportunity at the moment of coming is used")
  func unused() throws {
    var run = try Self.run([2, 5, 10])
    run.send(LinkRun.packet(bytes: 100), atMilliseconds: 3)
    // The link starts with its first packet, so 2 ms after it is at 5 ms.
    run.send(LinkRun.packet(bytes: 1500), atMilliseconds: 5.5)
    run.send(LinkRun.packet(bytes: 1500), atMilliseconds: 13)
    run.send(LinkRun.packet(bytes: 100), atMilliseconds: 3 + 95.5)
    run.send(LinkRun.packet(bytes: 100), atMilliseconds: 3 + 1000)
    run.send(LinkRun.packet(bytes: 100), atMilliseconds: 3 + 1000.000001)
    #expect(Self.milliseconds(run) == [5, 8, 13, 103, 1003, 1005])
  }

  @Test("A line at 0 is an opportunity of its own at the end of each round")
  func zero() throws {
    var run = try Self.run([0, 4])
    run.send(4, everyMilliseconds: 0, bytes: 1500)
    #expect(Self.milliseconds(run) == [0, 4, 4, 8])
  }

  @Test("Packets wait in the drop-tail queue until their opportunity")
  func queue() throws {
    var run = try Self.run([10], queuePackets: 2)
    run.send(3, everyMilliseconds: 0, bytes: 1000)
    // The second is partly in the first opportunity, at 10 ms, and whole in the next.
    #expect(run.dropped == [false, false, true])
    #expect(Self.milliseconds(run) == [10, 20, nil])
    #expect(run.entries.map(\.queuedBytes) == [0, 1000, 2000])
  }

  @Test("A trace walked over days stays on its grid, whatever its period")
  func longWalk() throws {
    var generator = LinkGenerator(seed: 5)
    let trace = [1, 7, 7, 13]
    var run = try Self.run(trace)
    run.send(LinkRun.packet(bytes: 100), atMilliseconds: 0)
    var time = 1_000_000.0
    for _ in 0..<2000 {
      time += Double(1 + generator.below(1_000_000))
      let due = try #require(run.send(LinkRun.packet(bytes: 1500), atMilliseconds: time)[0].due) / LinkRun.millisecond
      // Straight from the format: the first line at or after the time within its round.
      let within = Int64(time - 1) % 13 + 1
      let next = trace.map(Int64.init).first { $0 >= within } ?? 13
      #expect(due == Int64(time) - within + next)
    }
  }

  @Test("A toward-client packet before the link's start is not limited")
  func beforeStart() throws {
    var run = try Self.run([10])
    run.send(1, everyMilliseconds: 0, bytes: 1500, .toClient)
    #expect(run.link.started == nil && Self.milliseconds(run) == [0])
  }
}
