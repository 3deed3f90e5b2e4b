import Foundation
import HTTPTypes
import Logging
import StreamTransport

/// Backends that share a database, any of which serves a request.
struct CrowdBackends: Sendable {
  private let transports: [HTTP1Transport]
  private let key: String

  init(_ urls: [String], authority: String, key: String) throws {
    let tls = TLSOptions(trust: .certificates(pem: try String(contentsOfFile: authority, encoding: .utf8)))
    var configuration = HTTP1TransportConfiguration()
    configuration.maximumRequests = 20_000
    let logger = Logger(label: "crowd") { _ in SwiftLogNoOpLogHandler() }
    transports = try urls.map { url in
      guard let url = URL(string: url) else { throw EventBlocks.Unexpected(description: "'\(url)' is no URL") }
      return HTTP1Transport(origin: try Origin(url), tls: tls, logger: logger, configuration: configuration)
    }
    self.key = key
  }

  /// Sends a request to one of them.
  func send(
    _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String? = nil, to number: Int
  ) async throws -> TransportResponse {
    let transport = transports[number % transports.count]
    var fields: HTTPFields = [.authorization: "Bearer \(key)"]
    if let token, let name = HTTPField.Name("x-resolvekit-chat-capability") { fields[name] = token }
    if body != nil { fields[.contentType] = "application/json" }
    let request = HTTPRequest(method: method, scheme: nil, authority: nil, path: path, headerFields: fields)
    return try await transport.send(request, body: body.map { .bytes(Array($0.utf8)) } ?? .none)
  }

  /// Sends a request until one of them takes it, and returns the answer's body.
  func persist(
    _ method: HTTPRequest.Method, _ path: String, _ body: String, token: String? = nil, from number: Int
  ) async throws -> [UInt8] {
    var attempt = number
    while true {
      if let answer = try? await send(method, path, body, token: token, to: attempt) {
        if (200...299).contains(answer.head.status.code), let bytes = try? await answer.body.collect(upTo: 1 << 20) {
          return bytes
        }
        // A turn that ends just now is the only thing that may be in the way.
        guard answer.head.status.code == 409 || answer.head.status.code >= 500 else {
          throw EventBlocks.Unexpected(description: "\(method) \(path) is answered with \(answer.head.status)")
        }
      }
      attempt += 1
      try await Task.sleep(for: .milliseconds(Int.random(in: 20...100)))
    }
  }
}
