import StreamTransport
import TestSupport
import Testing

@testable import ResolveKitCore
@testable import ResolveKitSession

@Suite(.timeLimit(.minutes(10)))
struct ToolRunnerTests {
  private enum Waiting: AnyResolveKitFunction {
    static let resolveKitName = "wait"
    static let resolveKitDescription = "Waits until it is cancelled."
    static let resolveKitParametersSchema: JSONObject = [:]

    static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
      try await waitForCancellation()
      return .null
    }
  }

  private enum Naming: AnyResolveKitFunction {
    static let resolveKitName = "name"
    static let resolveKitDescription = "Names the call that it is run for."
    static let resolveKitParametersSchema: JSONObject = [:]

    static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
      .string("\(context.sessionID ?? "none")/\(context.requestID ?? "none")")
    }
  }

  private let returns: AsyncStream<(String, ToolOutcome)>
  private let sink: AsyncStream<(String, ToolOutcome)>.Continuation

  init() { (returns, sink) = AsyncStream.makeStream(of: (String, ToolOutcome).self) }

  private func runner() throws -> ToolRunner {
    ToolRunner(
      functions: try FunctionSet(functions: [Waiting.self, Naming.self], packs: [], platform: .linux),
      clock: .continuous)
  }

  private func start(_ id: String, _ function: String, on runner: inout ToolRunner) {
    let call = ToolCall(
      key: ToolCallKey(turnID: "t", callID: id),
      request: ResolveKitToolCallRequest(callID: id, functionName: function, arguments: [:], timeoutSeconds: 30),
      requiresApproval: false, arrivedAt: 0)
    runner.start(call, session: "s", onProgress: { _ in }, onReturn: { [sink] in sink.yield((id, $0)) })
  }

  @Test func aToolIsRunForItsCallInItsSession() async throws {
    var runner = try runner()
    start("c", "name", on: &runner)
    var ends = returns.makeAsyncIterator()
    let end = try #require(await ends.next())
    #expect(end.0 == "c" && end.1 == .success("s/c"))
    runner.end(of: ToolCallKey(turnID: "t", callID: "c"))
  }

  @Test func oneIsCancelledAndTheOthersRun() async throws {
    var runner = try runner()
    var ends = returns.makeAsyncIterator()
    for id in ["a", "b", "c"] { start(id, "wait", on: &runner) }
    runner.cancel(ToolCallKey(turnID: "t", callID: "b"))
    #expect(await ends.next()?.0 == "b")
    // A call that is not there has nothing to cancel.
    runner.cancel(ToolCallKey(turnID: "t", callID: "x"))
    runner.end(of: ToolCallKey(turnID: "t", callID: "b"))
    runner.cancelAll()
    let last = [await ends.next()?.0, await ends.next()?.0].compactMap(\.self)
    #expect(Set(last) == ["a", "c"])
  }

  @Test func anUnknownFunctionIsAFailure() async throws {
    var runner = try runner()
    var ends = returns.makeAsyncIterator()
    start("c", "none", on: &runner)
    guard case .failure? = await ends.next()?.1 else { return #expect(Bool(false), "it did not fail") }
  }
}
