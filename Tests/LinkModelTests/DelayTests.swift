import Foundation
import Testing

@testable import LinkModel

@Suite struct DelayTests {
  @Test("A fixed delay is exact, each way its own")
  func fixed() throws {
    var run = try LinkRun(
      LinkConditions(
        toClient: DirectionConditions(oneWayDelayMilliseconds: 12.5),
        toServer: DirectionConditions(oneWayDelayMilliseconds: 40)))
    run.send(1, everyMilliseconds: 1, from: 1, .toServer)
    run.send(1, everyMilliseconds: 1, from: 2, .toClient)
    #expect(run.link.nextDelivery == 14_500_000)
    #expect(run.link.deliver(at: 14_499_999) == nil)
    run.deliver()
    #expect(run.deliveries.map(\.due) == [14_500_000, 41_000_000])
    #expect(run.deliveries.map(\.direction) == [.toClient, .toServer])
    #expect(run.deliveries.map(\.number) == [1, 0])
  }

  @Test("Packets due at one time leave in the order they came")
  func firstInFirstOut() throws {
    var run = try LinkRun { $0.oneWayDelayMilliseconds = 5 }
    run.send(1000, everyMilliseconds: 0, bytes: 60)
    run.deliver()
    #expect(run.deliveries.map(\.number) == Array(0..<1000))
  }

  @Test("Jitter keeps the order unless it may reorder", arguments: [false, true])
  func order(reorders: Bool) throws {
    var run = try LinkRun {
      $0.oneWayDelayMilliseconds = 20
      $0.jitter = .uniform(maximumMilliseconds: 30)
      $0.jitterReorders = reorders
    }
    run.send(2000, everyMilliseconds: 1, bytes: 60)
    run.deliver()
    let numbers = run.deliveries.map(\.number)
    #expect((numbers == numbers.sorted()) == !reorders)
    #expect(run.deliveries.count == 2000)
    for entry in run.entries {
      let delay = try #require(entry.due) - entry.entered
      #expect((20 * LinkRun.millisecond...50 * LinkRun.millisecond).contains(delay))
    }
  }

  @Test("Jitter has its shape")
  func shapes() throws {
    func added(_ jitter: Jitter) throws -> [Double] {
      var run = try LinkRun {
        $0.jitter = jitter
        $0.jitterReorders = true
      }
      run.send(20_000, everyMilliseconds: 1, bytes: 60)
      return run.entries.compactMap { entry in entry.due.map { Double($0 - entry.entered) / 1e6 } }
    }
    let uniform = try added(.uniform(maximumMilliseconds: 30))
    #expect(abs(uniform.reduce(0, +) / 20_000 - 15) < 0.2)
    let skewed = try added(.rightSkewed(meanMilliseconds: 8, maximumMilliseconds: 30))
    // The mean of an exponential cut at its maximum m is μ (1 − e^(−m/μ)).
    #expect(abs(skewed.reduce(0, +) / 20_000 - 8 * (1 - exp(-30 / 8.0))) < 0.15)
    #expect(skewed.max() == 30)
    #expect(skewed.sorted()[10_000] < 6)
  }

  @Test("Early packets skip the delay and overtake; the realised rate is right")
  func early() throws {
    var run = try LinkRun {
      $0.oneWayDelayMilliseconds = 25
      $0.earlyRate = 0.02
    }
    run.send(10_000, everyMilliseconds: 1, bytes: 60)
    run.deliver()
    let early = run.entries.filter { $0.cause == .early }
    #expect(abs(Double(early.count) / 10_000 - 0.02) < LossTests.halfWidth(0.02, 10_000))
    #expect(early.allSatisfy { $0.due == $0.entered && $0.verdict == .delivered })
    let others = run.entries.filter { $0.cause == .none }
    #expect(others.allSatisfy { $0.due == $0.entered + 25 * LinkRun.millisecond })
    let numbers = run.deliveries.map(\.number)
    #expect(numbers != numbers.sorted())
  }

  @Test("The delay jumps at each step, by the seed alone, and packets are lost after it")
  func steps() throws {
    func run(every: Double) throws -> LinkRun {
      var run = try LinkRun {
        $0.oneWayDelayMilliseconds = 25
        $0.jitterReorders = true
        $0.delaySteps = DelaySteps(
          everyMilliseconds: 1000, amplitudeMilliseconds: 5, lossRate: 0.5, lossDurationMilliseconds: 100)
      }
      run.send(Int(200_000 / every), everyMilliseconds: every, bytes: 60)
      return run
    }
    let dense = try run(every: 1)
    var delays: [Int64: Set<Int64>] = [:]
    for entry in dense.entries {
      if let due = entry.due { delays[entry.entered / 1_000_000_000, default: []].insert(due - entry.entered) }
    }
    #expect(delays.count == 200 && delays.values.allSatisfy { $0.count == 1 })
    #expect(delays[0] == [25 * LinkRun.millisecond])
    #expect(Set(delays.values.flatMap { $0 }).count > 190)
    #expect(delays.values.joined().allSatisfy { (20...30).contains($0 / LinkRun.millisecond) })
    for entry in try run(every: 7).entries {
      if let due = entry.due { #expect(delays[entry.entered / 1_000_000_000] == [due - entry.entered]) }
    }
    let lost = dense.entries.filter { $0.cause == .delayStep }
    #expect(lost.allSatisfy { $0.entered >= 1_000_000_000 && $0.entered % 1_000_000_000 < 100 * LinkRun.millisecond })
    #expect(abs(Double(lost.count) / 19_900 - 0.5) < LossTests.halfWidth(0.5, 19_900))
  }

  @Test("Other protocols wait for the packets before them and take no room themselves")
  func others() throws {
    var icmp = PacketBuilder().bytes
    icmp[9] = 1
    var run = try LinkRun {
      $0.rateBitsPerSecond = 1_200_000
      $0.oneWayDelayMilliseconds = 10
    }
    run.send(2, everyMilliseconds: 0)
    run.send(LinkPacket(bytes: icmp), atMilliseconds: 0)
    run.send(1, everyMilliseconds: 0)
    #expect(run.entries.map(\.due) == [18, 26, 26, 34].map { $0 * LinkRun.millisecond })
  }
}
