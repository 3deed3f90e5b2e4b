import ReferenceBackend
import ResolveKitCore
import ResolveKitUI
import StreamTransport
import Synchronization
import Testing

/// Digits beyond 2^53 on the whole way from the model through log and stream to the tool, and back in its result.
@Suite(.timeLimit(.minutes(10)))
struct ExactArgumentTests {
  @Test(arguments: [TransportKind.http3, .http1])
  @MainActor
  func everyDigitReachesTheTool(kind: TransportKind) async throws {
    let arguments = #"{"id":9007199254740993,"list":[18446744073709551615,0.1]}"#
    let fixture = try await EndToEndFixture.open()
    let runtime = try fixture.runtime(over: fixture.transport(kind), functions: [TakeNumber.self])
    let updates = runtime.updates()
    try await runtime.start()
    await runtime.sendMessage("call take_number \(arguments)")
    var answer: String?
    for await update in updates {
      guard case .turn(let turn) = update else { continue }
      answer = turn.text
      break
    }
    await runtime.stop()
    await fixture.close()
    #expect(TakeNumber.taken.withLock { $0.last } == arguments)
    #expect(answer?.contains("The tool take_number answered: taken \(arguments)") == true, "\(answer ?? "none")")
  }
}

/// A tool that keeps what it was called with.
private struct TakeNumber: AnyResolveKitFunction {
  static let taken = Mutex<[String]>([])
  static let resolveKitName = "take_number"
  static let resolveKitDescription = "Takes a number."
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = [
    "type": "object", "properties": ["id": ["type": "integer"], "list": ["type": "array"]], "required": ["id"],
  ]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    try await invoke(exactly: ResolveKitArguments(arguments), context: context)
  }

  static func invoke(
    exactly arguments: ResolveKitArguments, context: ResolveKitFunctionContext
  ) async throws -> JSONValue {
    taken.withLock { $0.append(arguments.jsonText) }
    return .string("taken \(arguments.jsonText)")
  }
}
