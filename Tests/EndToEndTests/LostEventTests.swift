import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import ResolveKitUI
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// Events that are in no stream, over both transports: text heals, and what is silent is found in the history.
@Suite(.timeLimit(.minutes(10)))
struct LostEventTests {
  private static let story = "Tell me a story of 60 words."

  private struct Way {
    var fixture: EndToEndFixture
    var clock = WatchdogClock()
    var model = SignallingModel()

    /// One turn. The silence begins with the model's last word, and, if the client hears first, not before the client
    /// had an event.
    @MainActor
    func converse(
      _ kind: TransportKind, _ text: String, hearingFirst: Bool = false
    ) async throws -> EndToEndFixture.Outcome {
      let transport = HistoryWatcher(fixture.transport(kind)) { [clock] in clock.askAgain() }
      let runtime = try fixture.runtime(over: transport, functions: [SlowToAnswer.self], clock: clock)
      let heard = hearingFirst ? runtime.updates() : nil
      model.onAnswer { [clock] in
        if let heard { for await case .event in heard { break } }
        clock.fallSilent()
      }
      return try await fixture.converse(runtime, text)
    }
  }

  private static func open(
    _ faults: BackendFaults = BackendFaults(), settings: BackendSettings = BackendSettings()
  ) async throws -> Way {
    let model = SignallingModel()
    return Way(fixture: try await EndToEndFixture.open(model: model, settings: settings, faults: faults), model: model)
  }

  @Test(arguments: [TransportKind.http3, .http1])
  func textHealsWhateverIsLost(kind: TransportKind) async throws {
    let steady = try await Self.open()
    let expected = try #require(try await steady.converse(kind, Self.story).text)
    await steady.fixture.close()
    #expect(expected.split(separator: " ").count > 50)
    for seed in 1...12 {
      let way = try await Self.open(BackendFaults(stream: StreamFaults(drop: 0.4, seed: UInt64(seed))))
      let outcome = try await way.converse(kind, Self.story)
      #expect(outcome.text == expected && outcome.shown == expected, "seed \(seed)")
      #expect(outcome.eventIDs.count < 60, "seed \(seed): nothing was lost")
      await way.fixture.close()
    }
  }

  @Test(arguments: [TransportKind.http3, .http1], [true, false])
  func aTurnThatEndsSilentlyIsFoundInTheHistory(kind: TransportKind, streamsText: Bool) async throws {
    let faults = BackendFaults()
    let way = try await Self.open(faults, settings: BackendSettings(streamsText: streamsText))
    faults.endSilently(turns: 1)
    let outcome = try await way.converse(kind, Self.story, hearingFirst: streamsText)
    #expect(!outcome.eventTypes.contains(ResolveKitEventType.turnComplete))
    #expect(outcome.text == outcome.shown && outcome.text?.isEmpty == false)
    #expect(outcome.eventTypes.isEmpty == !streamsText)
    await way.fixture.close()
  }

  @Test(arguments: [TransportKind.http3, .http1])
  func aStreamThatCarriesNothingCostsTheCallAndNotTheTurn(kind: TransportKind) async throws {
    let way = try await Self.open(BackendFaults(stream: StreamFaults(drop: 1)))
    let outcome = try await way.converse(kind, "call slow_to_answer {}")
    #expect(outcome.eventIDs.isEmpty && outcome.toolRuns == 0)
    #expect(outcome.text == outcome.shown)
    #expect(outcome.text?.contains("timed out after 1s") == true, "\(outcome.text ?? "no text")")
    await way.fixture.close()
  }
}

/// A clock on which the machine's own deadlines end when the test says so. What is left until such a moment is no whole
/// number of seconds, as the limits of calls are; those last until they are cancelled.
private final class WatchdogClock: Clock {
  typealias Instant = InstantClock.Instant

  private struct State {
    var isSilent = false
    var questions = 0
    var sleepers: [(isFirst: Bool, continuation: CheckedContinuation<Void, Never>)] = []

    /// Whether such a sleep ends now. The watch over a turn's silence is set from what was last heard, less than 30 s
    /// ahead; once the history was asked, from its own last moment, which lies further ahead.
    mutating func ends(isFirst: Bool) -> Bool {
      if isFirst { return isSilent }
      guard questions > 0 else { return false }
      questions -= 1
      return true
    }
  }

  let minimumResolution = Duration.nanoseconds(1)
  private let short = InstantClock(upTo: .seconds(10))
  private let state = Mutex(State())

  var now: Instant { short.now }

  /// The server has said all that it has to say.
  func fallSilent() { change { $0.isSilent = true } }

  /// A history came too early, or tells nothing.
  func askAgain() { change { $0.questions += 1 } }

  private func change(_ body: (inout State) -> Void) {
    let woken = state.withLock { state in
      body(&state)
      let sleepers = state.sleepers
      state.sleepers = []
      return sleepers.filter { sleeper in
        if state.ends(isFirst: sleeper.isFirst) { return true }
        state.sleepers.append(sleeper)
        return false
      }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let length = now.duration(to: deadline)
    guard length > .seconds(29), length.components.attoseconds != 0 else {
      return try await short.sleep(until: deadline, tolerance: tolerance)
    }
    await withCheckedContinuation { sleeper in
      let isOver = state.withLock { state in
        let isFirst = length < .seconds(30)
        if state.ends(isFirst: isFirst) { return true }
        state.sleepers.append((isFirst, sleeper))
        return false
      }
      if isOver { sleeper.resume() }
    }
  }
}

/// The demonstrator, which tells when it has given its last word.
private final class SignallingModel: ModelAdapter {
  let name = "demo"
  private let demo = DemoModel(tokenRate: 0)
  private let action = Mutex<@Sendable () async -> Void>({})

  func onAnswer(_ action: @escaping @Sendable () async -> Void) { self.action.withLock { $0 = action } }

  func reply(
    to conversation: ModelConversation, output: @Sendable (ModelOutput) async throws -> Void
  ) async throws {
    let hasCalls = Mutex(false)
    try await demo.reply(to: conversation) { piece in
      if case .toolCalls = piece { hasCalls.withLock { $0 = true } }
      try await output(piece)
    }
    if !hasCalls.withLock({ $0 }) { await action.withLock { $0 }() }
  }
}

/// Tells when a history was answered: one that came too early is asked for again.
private struct HistoryWatcher: HTTPTransport {
  let inner: any HTTPTransport
  let onHistory: @Sendable () -> Void

  init(_ inner: any HTTPTransport, onHistory: @escaping @Sendable () -> Void) {
    self.inner = inner
    self.onHistory = onHistory
  }

  var origin: Origin { inner.origin }
  func connect() async throws -> ConnectionInfo { try await inner.connect() }
  func snapshot() async -> ConnectionSnapshot? { await inner.snapshot() }
  func close() async { await inner.close() }

  func send(_ request: HTTPRequest, body: RequestBody) async throws -> TransportResponse {
    let response = try await inner.send(request, body: body)
    if request.method == .get, request.path?.hasSuffix("/messages") == true { onHistory() }
    return response
  }
}

/// A tool that the server waits a second for.
private enum SlowToAnswer: AnyResolveKitFunction {
  static let resolveKitName = "slow_to_answer"
  static let resolveKitDescription = "Is not heard."
  static let resolveKitRequiresApproval = false
  static let resolveKitTimeoutSeconds: Int? = 1
  static let resolveKitParametersSchema: JSONObject = ["type": "object", "properties": [:], "required": []]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue { "heard" }
}
