import Foundation
import HTTPTypes
import Logging
import StreamTransport
import Synchronization

@testable import interop_runner

/// An HTTP/3 server on loopback that writes a workload's events as the lab's origin does, all at once.
final class EventOrigin: Sendable {
  /// The fate of a request for a stream, counted from 1 for each stream.
  enum Fault: Sendable {
    case none
    /// The stream is reset after the event of this place.
    case reset(after: Int)
    /// The response ends gracefully there.
    case end(after: Int)
    case status(Int)
  }

  let certificate: DevelopmentCertificate
  let workload: StreamingWorkload
  private let fault: @Sendable (_ stream: Int, _ request: Int) -> Fault
  private let requests = Mutex<[(stream: Int, cursor: String?)]>([])
  private let server = Mutex<HTTP3Server?>(nil)

  init(_ workload: StreamingWorkload, fault: @escaping @Sendable (_ stream: Int, _ request: Int) -> Fault) throws {
    certificate = try DevelopmentCertificate.make()
    self.workload = workload
    self.fault = fault
  }

  /// The streams' URLs.
  func start() async throws -> [String] {
    let configuration = HTTP3ServerConfiguration(
      address: "127.0.0.1", port: 0, certificatePEM: certificate.certificatePEM,
      privateKeyPEM: certificate.privateKeyPEM)
    let server = HTTP3Server(configuration, logger: .init(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
      [self] exchange in await answer(exchange)
    }
    self.server.withLock { $0 = server }
    let port = try await server.start()
    return (0..<workload.streams).map { "https://127.0.0.1:\(port)/stream/\($0)?start=0" }
  }

  func close() async {
    await server.withLock { $0 }?.close()
  }

  /// The cursors that came for a stream, in order; nil for a request without one.
  func cursors(of stream: Int) -> [String?] {
    requests.withLock { $0.filter { $0.stream == stream }.map(\.cursor) }
  }

  private func answer(_ exchange: HTTP3ServerExchange) async {
    guard let stream = exchange.request.path?.dropFirst("/stream/".count).first?.wholeNumberValue,
      let name = HTTPField.Name("last-event-id")
    else { return await exchange.reset() }
    let cursor = exchange.request.headerFields[name]
    let number = requests.withLock { requests in
      requests.append((stream, cursor))
      return requests.count { $0.stream == stream }
    }
    let fault = fault(stream, number)
    do {
      if case .status(let code) = fault {
        try await exchange.respond(HTTPResponse(status: .init(code: code)))
        return try await exchange.finish()
      }
      try await exchange.respond(HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]))
      for sequence in (cursor.flatMap { Int($0) } ?? -1) + 1..<workload.events {
        try await exchange.write(Array(block(sequence).utf8))
        switch fault {
        case .reset(after: sequence):
          return await exchange.reset()
        case .end(after: sequence): return try await exchange.finish()
        case .none, .reset, .end, .status: break
        }
      }
      try await exchange.write(Array("event: end\ndata: {}\n\n".utf8))
      try await exchange.finish()
    } catch {
      await exchange.reset()
    }
  }

  private func block(_ sequence: Int) -> String {
    let now = TransportClock.monotonicNanoseconds()
    let head = "id: \(sequence)\ndata: {\"n\":\(sequence),\"t\":\(now),\"w\":\(now),\"p\":\""
    let padding = workload.eventBytes - head.utf8.count - "\"}\n\n".utf8.count
    return head + String(repeating: ".", count: padding) + "\"}\n\n"
  }
}
