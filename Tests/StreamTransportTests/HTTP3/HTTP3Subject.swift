import StreamTransport

struct HTTP3Subject: ConformanceSubject {
  var name: String { "HTTP/3" }

  func run(
    handler: @escaping @Sendable (any ConformanceExchange) async throws -> Void,
    body: @Sendable (any HTTPTransport) async throws -> Void
  ) async throws {
    try await HTTP3TestServer.run(handler: { try? await handler(HTTP3ConformanceExchange(exchange: $0)) }) { server in
      try await withTransport(server.makeTransport(), body)
    }
  }
}
