import Foundation
import Logging
import ReferenceBackend
import ResolveKitCore
import ResolveKitNetworking
import ResolveKitUI
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// A backend in this process, and clients of it.
struct EndToEndFixture {
  static let apiKey = "rk_end_to_end"
  static let operatorKey = "ok_end_to_end"

  let backend: Backend
  let certificate: DevelopmentCertificate
  let origin: Origin

  static func open(
    model: any ModelAdapter = DemoModel(tokenRate: 0), settings: BackendSettings = BackendSettings(),
    faults: BackendFaults = BackendFaults()
  ) async throws -> EndToEndFixture {
    let certificate = TestCertificate.p256
    let configuration = BackendConfiguration(
      certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM, databasePath: nil,
      apiKeys: [apiKey], model: model, settings: settings, drainTimeout: .seconds(1), operatorKey: operatorKey,
      faults: faults)
    var logger = Logger(label: "backend")
    // A turn that fails is a warning with the reason.
    logger.logLevel = .warning
    let backend = Backend(configuration, logger: logger)
    let address = try await backend.start()
    return EndToEndFixture(
      backend: backend, certificate: certificate,
      origin: Origin(scheme: .https, host: "127.0.0.1", port: address.port))
  }

  func close() async {
    await backend.shutdown()
  }

  var tls: TLSOptions { TLSOptions(trust: .certificates(pem: certificate.certificatePEM)) }

  func transport(_ kind: TransportKind) -> any HTTPTransport {
    var logger = Logger(label: "client")
    logger.logLevel = .error
    switch kind {
    case .http3: return HTTP3Transport(origin: origin, tls: tls, logger: logger, configuration: .patient)
    case .http1: return HTTP1Transport(origin: origin, tls: tls, logger: logger, configuration: .patient)
    }
  }

  struct Outcome {
    var text: String?
    var shown = ""
    var eventIDs: [String] = []
    var eventTypes: [String] = []
    var toolRuns = 0
    var failure: String?
  }

  /// A client of the fixture. Back-off takes no time unless a clock is given; what waits for the server, from 15 s on, is
  /// left to the server.
  @MainActor
  func runtime(
    over transport: any HTTPTransport, functions: [any AnyResolveKitFunction.Type] = [GetLocalTime.self],
    clock: any Clock<Duration> = InstantClock(upTo: .seconds(10)), journal: ResolveKitJournalConfiguration? = nil
  ) throws -> ResolveKitRuntime {
    try runtime(over: .custom(transport), functions: functions, clock: clock, journal: journal)
  }

  /// A client whose transport is its own, unless it is a custom one.
  @MainActor
  func runtime(
    over transport: ResolveKitTransport, functions: [any AnyResolveKitFunction.Type] = [GetLocalTime.self],
    clock: any Clock<Duration>, journal: ResolveKitJournalConfiguration? = nil
  ) throws -> ResolveKitRuntime {
    let url = try #require(URL(string: origin.description))
    let device = UUID().uuidString
    var configuration = ResolveKitConfiguration(
      baseURL: url, apiKeyProvider: { EndToEndFixture.apiKey }, deviceIDProvider: { device },
      localeProvider: { "de-AT" },
      functions: functions, transport: transport, approvalStore: ResolveKitApprovalStore(), journal: journal)
    configuration.tls = tls
    configuration.clock = TransportClock(clock)
    configuration.logger.logLevel = .error
    return ResolveKitRuntime(configuration: configuration)
  }

  /// One conversation of one turn with a tool call.
  @MainActor
  func converse(over transport: any HTTPTransport) async throws -> Outcome {
    let runtime = try runtime(over: transport)
    return try await converse(
      runtime, "What time is it? " + String(repeating: "Say more of it. ", count: 20))
  }

  /// One turn of a runtime, which is stopped then.
  @MainActor
  func converse(_ runtime: ResolveKitRuntime, _ text: String) async throws -> Outcome {
    let updates = runtime.updates()
    try await runtime.start()
    await runtime.sendMessage(text)
    var outcome = Outcome()
    var sessionID = ""
    loop: for await update in updates {
      switch update {
      case .session(let id, _): sessionID = id
      case .event(let event):
        outcome.eventIDs.append(event.eventID)
        outcome.eventTypes.append(event.type)
      case .text(_, let appended): outcome.shown += appended
      case .textCorrected(_, let text): outcome.shown = text
      case .turn(let turn):
        outcome.text = turn.text
        outcome.failure = turn.reason
        break loop
      default: break
      }
    }
    await runtime.stop()
    outcome.toolRuns = GetLocalTime.runs.withLock { $0[sessionID] ?? 0 }
    return outcome
  }
}

/// A tool with one answer, which counts how often it runs in each session.
struct GetLocalTime: AnyResolveKitFunction {
  static let runs = Mutex<[String: Int]>([:])
  static let resolveKitName = "get_local_time"
  static let resolveKitDescription = "Tells the local time."
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = [
    "type": .string("object"), "properties": .object([:]), "required": .array([]),
  ]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    runs.withLock { $0[context.sessionID ?? "", default: 0] += 1 }
    return .string("2026-11-21T12:00:00Z")
  }
}
