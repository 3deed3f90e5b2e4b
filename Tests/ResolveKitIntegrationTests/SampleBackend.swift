import Foundation
import Logging
import ReferenceBackend
import ResolveKitUI
import StreamTransport
import TestSupport

/// A backend in this process that calls the tool that a message names, and conversations with it.
struct SampleBackend {
  static let apiKey = "rk_samples"

  let backend: Backend
  let url: URL
  let tls: TLSOptions

  static func open() async throws -> SampleBackend {
    let certificate = TestCertificate.p256
    var logger = Logger(label: "backend")
    logger.logLevel = .error
    let backend = Backend(
      BackendConfiguration(
        certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM, databasePath: nil,
        apiKeys: [apiKey], model: DemoModel(tokenRate: 0), drainTimeout: .seconds(1)), logger: logger)
    let address = try await backend.start()
    guard let url = URL(string: address.url) else { throw URLError(.badURL) }
    return SampleBackend(
      backend: backend, url: url, tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)))
  }

  func close() async {
    await backend.shutdown()
  }

  /// The configuration as it is, but for where the backend is and what it accepts.
  func reached(by configuration: ResolveKitConfiguration) -> ResolveKitConfiguration {
    var configuration = configuration
    configuration.baseURL = url
    configuration.tls = tls
    configuration.apiKeyProvider = { Self.apiKey }
    configuration.logger.logLevel = .critical
    return configuration
  }

  struct Turn {
    var text = ""
    /// The tools that were run to their end, in the order of their ends.
    var completed: [String] = []
    /// The tools that a person was asked about.
    var asked: [String] = []
  }

  /// Sends one message and approves what is asked.
  @MainActor
  static func say(_ text: String, to runtime: ResolveKitRuntime) async -> Turn {
    let updates = runtime.updates()
    await runtime.sendMessage(text)
    var turn = Turn()
    for await update in updates {
      switch update {
      case .approvalNeeded(let request):
        turn.asked += request.calls.map(\.functionName)
        await runtime.approveToolCallBatch(request)
      case .tool(_, let name, .completed): turn.completed.append(name)
      case .turn(let finished):
        turn.text = finished.text
        return turn
      default: break
      }
    }
    return turn
  }
}
