import Foundation
import Glibc
import ResolveKitCore
import Testing

@testable import CodexWorkersClient

/// A client's view of events: receipts, handshakes, badges, within limits.
struct TimelineTests {
  private func receipt(_ sequence: Int64, _ id: String) -> WorkerUpdate {
    .event(
      WatchScript.event(
        sequence, ["request_id": .string(id), "method": "turn/start", "ok": true, "response": [:]],
        type: "worker.response"))
  }

  @Test func aSecondReceiptIsIgnored() {
    var timeline = WorkerTimeline()
    timeline.willSend(WorkerControlRequest(id: "r", method: "turn/start"))
    #expect(timeline.requests.pending == ["r"])
    timeline.take(receipt(1, "r"))
    timeline.take(receipt(2, "r"))
    timeline.take(receipt(3, "another's"))
    #expect(timeline.entries.count == 2)
    guard case .receipt(let first) = timeline.entries[0] else {
      Issue.record("no receipt")
      return
    }
    #expect(first.sequence == 1)
    #expect(timeline.requests.pending.isEmpty)
    timeline.willSend(WorkerControlRequest(id: "r", method: "turn/start"))
    #expect(timeline.requests.pending.isEmpty)
  }

  @Test func aRuntimesOwnEchoEndsNoRequest() {
    #expect(WorkerReceipt(WatchScript.event(1, ["request_id": "r", "response": [:]], type: "worker.response")) == nil)
  }

  @Test func theTimelineIsBoundedInNumberAndSize() {
    var timeline = WorkerTimeline(maximumEntries: 10, maximumBytes: 2_000)
    for number in 1...100 { timeline.take(.event(WatchScript.event(Int64(number)))) }
    #expect(timeline.entries.count == 10)
    #expect(timeline.dropped == 90)
    timeline.take(.event(WatchScript.event(101, ["text": .string(String(repeating: "x", count: 5_000))])))
    #expect(timeline.entries.count == 1)
    for number in 0..<1_000 { timeline.willSend(WorkerControlRequest(id: "r\(number)", method: "turn/start")) }
    #expect(timeline.requests.pending.count == WorkerRequestBook.maximumPending)
  }

  private func snapshot(_ latest: Int64, lag: Int64? = nil, status: String = "running") throws -> WorkerSnapshot {
    var members: JSONObject = [
      "worker_id": "w", "latest_seq": .number(Double(latest)), "status": .string(status),
    ]
    members["khala_projection"] = lag.map { ["lag_events": .number(Double($0)), "status": "lagging"] }
    return try #require(WorkerSnapshot(.object(members)))
  }

  @Test func aTimelineKnowsWhatItLacksOfTheWorkersState() throws {
    var timeline = WorkerTimeline()
    #expect(timeline.reconcile(with: try snapshot(0), limit: 10) == nil)
    #expect(timeline.reconcile(with: try snapshot(30), limit: 10) == 21...30)
    for number in 1...5 { timeline.take(.event(WatchScript.event(Int64(number)))) }
    #expect(timeline.last == 5)
    #expect(timeline.reconcile(with: try snapshot(5), limit: 10) == nil)
    #expect(timeline.reconcile(with: try snapshot(7), limit: 10) == 6...7)
    #expect(timeline.reconcile(with: try snapshot(50), limit: 10) == 41...50)
    timeline.take(.lost(6...9))
    #expect(timeline.last == 9)
  }

  @Test func aTimelineOfAnOldLogSaysSoAndBeginsAgain() throws {
    var timeline = WorkerTimeline()
    for number in 1...5 { timeline.take(.event(WatchScript.event(Int64(number)))) }
    #expect(timeline.reconcile(with: try snapshot(2), limit: 10) == 1...2)
    #expect(timeline.entries == [.rewound(from: 5, to: 2)])
  }

  @Test func aRowThatIsBehindTakesTheWorkersOwnState() throws {
    let row = try snapshot(5, lag: 3)
    let others = [try snapshot(5), try snapshot(5, lag: 0)]
    #expect(row.isBehind && !others.contains(where: \.isBehind))
    let now = row.reconciled(with: try snapshot(8, status: "stopped"))
    #expect(now.latestSequence == 8 && now.status == .stopped && now.projection?.lagEvents == 3)
    // An answer that was overtaken changes nothing.
    #expect(row.reconciled(with: try snapshot(4, status: "stopped")).status == .running)
  }

  @Test func theRequestsOfThisMachineAreKeptForTheirOwnerAlone() throws {
    let folder = try TemporaryFolder()
    func file(_ account: String = "a") -> WorkerRequestFile {
      WorkerRequestFile(folder: folder.path, server: "https://s.test", account: account, worker: "w")
    }
    #expect(file().requests.isEmpty)
    for number in 0..<WorkerRequestFile.maximumRequests + 2 {
      file().add(WorkerControlRequest(id: "r\(number)", method: "thread/list"))
    }
    file().add(WorkerControlRequest(id: "r9", method: "thread/list"))
    #expect(file().requests.count == WorkerRequestFile.maximumRequests)
    #expect(file().requests.first?.id == "r2" && file().requests.last?.id == "r9")
    #expect(file("b").requests.isEmpty)
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    let path = "\(folder.path)/\(name)"
    #expect(chmod(path, 0o644) == 0)
    // Somebody else may have written it.
    #expect(file().requests.isEmpty)
    #expect(chmod(path, 0o600) == 0)
    try Data("no JSON".utf8).write(to: URL(filePath: path))
    #expect(file().requests.isEmpty)
  }

  private func acknowledgement(_ id: String) -> WorkerEvent {
    WatchScript.event(2, HandshakeSignal.acknowledgement(id: id, sessionID: "s").draft(at: "now").payload)
  }

  @Test func aHandshakeIsMatchedByItsID() {
    var handshake = WorkerHandshake(id: "hs-a", deviceID: "d")
    handshake.willSend(at: .zero)
    handshake.take(acknowledgement("hs-b"))
    #expect(handshake.state == .waiting(until: .seconds(30)))
    handshake.take(acknowledgement("hs-a"))
    #expect(handshake.state == .connected(sessionID: "s", isLate: false))
  }

  @Test func aHandshakeTimesOutAndALateAcknowledgementCounts() {
    var handshake = WorkerHandshake(id: "hs-a", deviceID: "d")
    handshake.willSend(at: .seconds(1))
    handshake.tick(at: .seconds(30))
    #expect(handshake.state == .waiting(until: .seconds(31)))
    handshake.tick(at: .seconds(31))
    #expect(handshake.state == .timedOut)
    handshake.take(acknowledgement("hs-a"))
    #expect(handshake.state == .connected(sessionID: "s", isLate: true))
  }

  @Test(arguments: ["source", "method", "handshake_id", "desktop_session_id", "occurred_at"])
  func anAcknowledgementWithABlankMemberIsNone(_ name: String) {
    var payload = acknowledgement("hs-a").payload
    payload[name] = " "
    #expect(HandshakeSignal(WatchScript.event(2, payload)) == nil)
    payload[name] = 7
    #expect(HandshakeSignal(WatchScript.event(2, payload)) == nil)
    payload[name] = nil
    #expect(HandshakeSignal(WatchScript.event(2, payload)) == nil)
  }

  @Test func aClientsOwnEventDoesNotMakeADeadDeviceLookAlive() {
    var health = WorkerHealth()
    let handshake = WorkerEvent(
      workerID: "w", sequence: 9, type: "worker.event",
      payload: HandshakeSignal.call(id: "hs-a", deviceID: "d").draft(at: "now").payload, occurredAt: "t9")
    health.take(handshake, at: .seconds(1))
    let fresh = WatchScript.snapshot(
      9, ["heartbeat_state": "fresh", "heartbeat_age_ms": 10, "last_heartbeat_at": "t9"])
    health.take(fresh, at: .seconds(1))
    #expect(health.badge(at: .seconds(1)) == .doubtful)
    health.take(WatchScript.event(10, type: "worker.heartbeat"), at: .seconds(2))
    #expect(health.badge(at: .seconds(3)) == .fresh(.seconds(1)))
    #expect(health.badge(at: .seconds(200)) == .stale(.seconds(198)))
  }

  @Test func replayedHeartbeatsDoNotMakeADeadDeviceLookAlive() {
    var health = WorkerHealth()
    health.take(WatchScript.event(1, type: "worker.heartbeat"), at: .seconds(1))
    #expect(health.badge(at: .seconds(1)) == .missing)
    let dead = WatchScript.snapshot(
      3, ["heartbeat_state": "stale", "heartbeat_age_ms": 900_000, "last_heartbeat_at": "t"])
    health.take(dead, at: .seconds(2))
    // The rest of the replay comes behind the snapshot.
    for sequence in Int64(2)...3 {
      health.take(WatchScript.event(sequence, type: "worker.heartbeat"), at: .seconds(3))
    }
    #expect(health.badge(at: .seconds(3)) == .stale(.seconds(901)))
    health.take(WatchScript.event(4, type: "worker.heartbeat"), at: .seconds(4))
    #expect(health.badge(at: .seconds(4)) == .fresh(.zero))
  }

  @Test func aBadgeGrowsOldByItself() {
    var health = WorkerHealth()
    #expect(health.badge(at: .zero) == .missing)
    health.take(
      WatchScript.snapshot(1, ["heartbeat_state": "fresh", "heartbeat_age_ms": 1_000, "last_heartbeat_at": "t"]),
      at: .zero)
    #expect(health.badge(at: .seconds(10)) == .fresh(.seconds(11)))
    #expect(health.badge(at: .seconds(150)) == .stale(.seconds(151)))
    health.take(WatchScript.snapshot(1, ["status": "stopped"]), at: .zero)
    #expect(health.badge(at: .zero) == .stopped)
  }
}
