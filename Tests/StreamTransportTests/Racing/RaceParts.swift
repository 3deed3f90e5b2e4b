import HTTPTypes
import StreamTransport
import TestSupport

extension ScriptedTransport {
  /// One that connects over `kind` unless `connect`, which is given the attempt's number from 1 on, throws or waits, and
  /// answers each request with an empty response.
  static func racer(
    _ kind: TransportKind, handshake: Duration = .milliseconds(23),
    origin: Origin = Origin(scheme: .https, host: "script.test", port: 443), altSvc: String? = nil,
    status: HTTPResponse.Status = .ok, _ connect: @escaping @Sendable (Int) async throws -> Void = { _ in }
  ) -> ScriptedTransport {
    ScriptedTransport(origin: origin) { number in
      try await connect(number)
      return ConnectionInfo(transport: kind, cipher: nil, remoteAddress: "192.0.2.1:443", handshake: handshake)
    } respond: { _ in
      var head = HTTPResponse(status: status)
      head.headerFields[.altSvc] = altSvc
      return .response(head, [.end])
    }
  }
}
