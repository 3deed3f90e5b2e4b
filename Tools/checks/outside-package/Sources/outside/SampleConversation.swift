import Foundation
import Logging
import ReferenceBackend
import ResolveKitUI
import StreamTransport

/// A conversation in which the model calls the samples, each as it is printed in the documentation.
@MainActor
enum SampleConversation {
  private static let questions = [
    "What time is it?",
    #"call send_message {"contactName":"Ona","messageText":"hi","urgent":"true"}"#,
    #"call set_lights {"room":"kitchen","on":true}"#,
    "call return_struct",
    "call get_subscription_status",
  ]

  static func hold() async throws {
    let certificate = try DevelopmentCertificate.make()
    let backend = Backend(
      BackendConfiguration(
        certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM, databasePath: nil,
        apiKeys: ["rk_outside"], model: DemoModel(tokenRate: 0)), logger: quiet("backend"))
    let address = try await backend.start()
    guard let url = URL(string: address.url) else { throw URLError(.badURL) }
    let runtime = ResolveKitRuntime(
      configuration: ResolveKitConfiguration(
        baseURL: url, apiKeyProvider: { "rk_outside" }, deviceIDProvider: { "outside" },
        functions: ResolveKitAutoRegistry.functions + [SetLights.self],
        functionPacks: [CommerceResolveKitPack.self], platform: .ios,
        tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)), logger: quiet("resolvekit")))
    try await runtime.start()
    for question in questions { await ask(question, of: runtime) }
    await runtime.finish()
    await backend.shutdown()
  }

  private static func ask(_ question: String, of runtime: ResolveKitRuntime) async {
    let updates = runtime.updates()
    await runtime.sendMessage(question)
    for await update in updates {
      switch update {
      case .approvalNeeded(let request):
        print("asked: \(request.calls.map(\.functionName).joined(separator: " "))")
        await runtime.approveToolCallBatch(request)
      case .turn(let turn):
        print("answer: \(turn.text.split(separator: "\n").first(where: isResult) ?? "none")")
        return
      default: continue
      }
    }
  }

  /// The demonstrator's line on what a tool gave back.
  private nonisolated static func isResult(_ line: Substring) -> Bool {
    line.contains(" answered: ") || line.contains("the local time is")
  }

  private static func quiet(_ label: String) -> Logger {
    var logger = Logger(label: label)
    logger.logLevel = .error
    return logger
  }
}
