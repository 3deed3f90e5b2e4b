import HTTPTypes
import StreamTransport
import Synchronization

/// Answers each request by a closure and keeps what was asked.
final class AnsweringTransport: ResponsiveTransport {
  struct Asked: Sendable {
    var request: HTTPRequest
    var body: String
  }

  let origin = Origin(scheme: .https, host: "agent.test", port: 443)
  private let requests = Mutex<[Asked]>([])
  private let running = Mutex<[Task<(HTTPResponse, ResponseBody), any Error>]>([])
  private let retirements = Mutex(0)
  private let answer: @Sendable (Asked, Int) async throws -> (HTTPResponse, ResponseBody)
  private let info = ConnectionInfo(
    transport: .http3, cipher: nil, remoteAddress: "192.0.2.1:443", handshake: .milliseconds(1))

  /// - Parameter answer: given the request and its number, from 1.
  init(_ answer: @escaping @Sendable (Asked, Int) async throws -> (HTTPResponse, ResponseBody)) {
    self.answer = answer
  }

  /// Always this status and JSON text.
  convenience init(status: Int, _ text: String) {
    self.init { _, _ in (HTTPResponse(status: .init(code: status)), ResponseBody(Array(text.utf8))) }
  }

  var asked: [Asked] { requests.withLock { $0 } }

  func connect() async throws -> ConnectionInfo { info }
  func snapshot() async -> ConnectionSnapshot? { ConnectionSnapshot(connection: info) }
  func close() async { for task in running.withLock(\.self) { task.cancel() } }
  func retireConnection() async { retirements.withLock { $0 += 1 } }

  /// The number of times that the connection was left for another.
  var retired: Int { retirements.withLock(\.self) }

  func send(_ request: HTTPRequest, body: RequestBody) async throws -> TransportResponse {
    var bytes: [UInt8] = []
    if case .bytes(let given) = body { bytes = given }
    let asked = Asked(request: request, body: String(decoding: bytes, as: UTF8.self))
    let number = requests.withLock { requests in
      requests.append(asked)
      return requests.count
    }
    let task = Task { try await answer(asked, number) }
    running.withLock { $0.append(task) }
    let (head, body) = try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
    return TransportResponse(head: head, body: body, connection: info, requestID: "r\(number)")
  }
}
