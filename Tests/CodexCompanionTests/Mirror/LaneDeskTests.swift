import CodexRemoteContract
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

/// What a lane does with requests that are under way at once.
@Suite(.timeLimit(.minutes(5)))
struct LaneDeskTests {
  /// A lane whose sends wait until a test lets them continue.
  private final class SlowLane: CodexLane {
    private struct State {
      var running: [String: String] = [:]
      var interrupted: [String] = []
      var sends = 0
    }

    let gate = Gate()
    private let state = Mutex(State())

    var interrupted: [String] { state.withLock { $0.interrupted } }
    var sends: Int { state.withLock { $0.sends } }

    func begin(_ turn: String, in thread: String) { state.withLock { $0.running[thread] = turn } }

    func folders() async throws -> [String] { ["/w"] }
    func threads() async throws -> [LaneThread] {
      [LaneThread(id: "a", folder: "/w", name: "", preview: "", updatedAt: 0)]
    }
    func check(_ thread: String) async throws {}
    func begin(in folder: String, model: String?) async throws -> LaneThread { try await threads()[0] }
    func load(_ thread: String) async throws -> String { "already_active" }
    func send(
      _ input: [JSONValue], with settings: LaneTurnSettings, to thread: String, id: String
    ) async throws -> LaneTurn {
      state.withLock { $0.sends += 1 }
      await gate.wait()
      begin("of \(id)", in: thread)
      return LaneTurn(id: "of \(id)", mode: .started)
    }
    func runningTurn(of thread: String) async throws -> String? { state.withLock { $0.running[thread] } }
    func interrupt(_ thread: String) async throws -> Bool {
      state.withLock { state in
        guard let turn = state.running.removeValue(forKey: thread) else { return false }
        state.interrupted.append(turn)
        return true
      }
    }
    func read(_ thread: String, hasTurns: Bool) async throws -> JSONObject { [:] }
  }

  private let lane = SlowLane()
  private let desk: LaneDesk

  init() { desk = LaneDesk(lane) }

  private func job(_ id: String, _ method: String, _ params: JSONObject = [:]) throws -> LaneJob {
    desk.admit(
      try #require(
        LaneRequest(
          type: "worker.request",
          payload: ["request_id": .string(id), "method": .string(method), "params": .object(params)])))
  }

  private func start(_ id: String, thread: String = "a") throws -> Task<JSONValue, any Error> {
    let job = try job(id, "turn/start", ["threadId": .string(thread), "input": [["type": "text", "text": "x"]]])
    return Task { try await job.perform() }
  }

  @Test func anInterruptEndsWhatRunsAtOnceAndThenWhatWasAskedForBeforeIt() async throws {
    lane.begin("first", in: "a")
    let sending = try start("second")
    await until { lane.sends == 1 }
    let job = try job("end", "turn/interrupt", ["threadId": "a"])
    let ending = Task { try await job.perform() }
    await until { lane.interrupted == ["first"] }
    lane.gate.open()
    #expect(try await ending.value == ["interrupted": true])
    _ = try await sending.value
    #expect(lane.interrupted == ["first", "of second"])
  }

  @Test func anInterruptOfATurnThatIsNamedWaitsForNothing() async throws {
    lane.begin("first", in: "a")
    let sending = try start("second")
    await until { lane.sends == 1 }
    #expect(
      try await job("end", "turn/interrupt", ["threadId": "a", "turnId": "first"]).perform() == ["interrupted": true])
    #expect(lane.sends == 1)
    lane.gate.open()
    _ = try await sending.value
    #expect(lane.interrupted == ["first"])
  }

  @Test func noRequestWaitsForSlowOnesOfOtherThreadsUpToTheLimit() async throws {
    let sending = try (0..<10).map { try start("r\($0)", thread: "t\($0)") }
    await until { lane.sends == 8 }
    let list = try job("list", "thread/list")
    let listing = Task { try await list.perform() }
    #expect(
      try await job("end", "turn/interrupt", ["threadId": "t0", "turnId": "none"]).perform() == ["interrupted": false])
    #expect(lane.sends == 8)
    lane.gate.open()
    for task in sending { _ = try await task.value }
    #expect(try await listing.value.objectValue?["nextCursor"] == .null)
  }

  @Test func aRequestBeyondThePlacesIsRefusedAndMayBeAskedForAgain() async throws {
    let sending = try (0..<128).map { try start("r\($0)") }
    await until { lane.sends == 1 }
    let refused = await #expect(throws: LaneRefusal.self) {
      try await job("more", "thread/list").perform()
    }
    #expect(refused?.code == .workerUnavailable && refused?.isRetryable == true)
    lane.gate.open()
    for task in sending { _ = try await task.value }
    _ = try await job("again", "thread/list").perform()
  }

  @Test func whatIsCancelledGivesItsPlaceBack() async throws {
    let first = try start("first")
    await until { lane.sends == 1 }
    let second = try start("second")
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    let third = try start("third")
    lane.gate.open()
    _ = try await first.value
    _ = try await third.value
    #expect(lane.sends == 2)
  }

  @Test func aJobThatNobodyPerformsGivesItsPlaceBack() async throws {
    do { _ = try job("dropped", "turn/start", ["threadId": "a", "input": [["type": "text", "text": "x"]]]) }
    lane.gate.open()
    _ = try await start("next").value
    #expect(lane.sends == 1)
  }
}
