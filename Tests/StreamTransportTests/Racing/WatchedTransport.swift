import HTTPTypes
import StreamTransport
import TransportPolicy

/// HTTP/3 that tells when it was left or closed.
final class WatchedTransport: SteerableTransport {
  private let transport: HTTP3Transport
  private let onEnd: @Sendable () -> Void

  var origin: Origin { transport.origin }
  var isLookingUp: Bool { transport.isLookingUp }

  init(_ transport: HTTP3Transport, onEnd: @escaping @Sendable () -> Void) {
    self.transport = transport
    self.onEnd = onEnd
  }

  func steer(to alternative: AlternativeService?) { transport.steer(to: alternative) }
  func connect() async throws -> ConnectionInfo { try await transport.connect() }
  func snapshot() async -> ConnectionSnapshot? { await transport.snapshot() }
  func sendEarly(_ request: HTTPRequest) async throws -> TransportResponse? { try await transport.sendEarly(request) }

  func send(_ request: HTTPRequest, body: RequestBody) async throws -> TransportResponse {
    try await transport.send(request, body: body)
  }

  func retireConnection() async {
    await transport.retireConnection()
    onEnd()
  }

  func close() async {
    await transport.close()
    onEnd()
  }
}
