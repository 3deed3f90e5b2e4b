import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import StreamTransport
import Synchronization
import TestSupport

/// A server that says on each connection what a script says, HTTP or not.
struct RawServer: Sendable {
  typealias RawChannel = NIOAsyncChannel<ByteBuffer, ByteBuffer>
  typealias Connection = NIOAsyncChannelInboundStream<ByteBuffer>

  /// One accepted connection; belongs to its script's task.
  final class Peer {
    /// Counts from 1.
    let number: Int
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var inbound: Connection.AsyncIterator
    private var text = ""

    fileprivate init(_ number: Int, _ inbound: Connection, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) {
      self.number = number
      self.inbound = inbound.makeAsyncIterator()
      self.outbound = outbound
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// Waits for a whole request head; returns it, or nil at the end of the connection.
    func request() async throws -> String? {
      while true {
        if let end = text.range(of: "\r\n\r\n") {
          let head = String(text[..<end.lowerBound])
          text.removeSubrange(..<end.upperBound)
          return head
        }
        guard let bytes = try await inbound.next() else { return nil }
        text += String(buffer: bytes)
      }
    }
  }

  let port: Int

  /// - Parameter script: runs for each connection, which is closed when it returns.
  static func run<Value: Sendable>(
    _ certificate: DevelopmentCertificate? = nil, applicationProtocols: [String] = ["http/1.1"],
    script: @escaping @Sendable (Peer) async throws -> Void,
    body: (RawServer) async throws -> Value
  ) async throws -> Value {
    let tls = try certificate.map { try TestTLS.context($0, applicationProtocols: applicationProtocols) }
    return try await TestListener.run { channel in
      if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
    } serve: { channel, number in
      try await TestListener.wrap(channel, RawChannel.self).executeThenClose { inbound, outbound in
        try await script(Peer(number, inbound, outbound))
      }
    } body: { port in
      try await body(RawServer(port: port))
    }
  }

  /// A transport to this server.
  func transport(
    host: String = "127.0.0.1", trust certificate: DevelopmentCertificate? = nil,
    _ change: (inout HTTP1TransportConfiguration) -> Void = { _ in }
  ) -> HTTP1Transport {
    var configuration = HTTP1TransportConfiguration.patient
    change(&configuration)
    return HTTP1Transport(
      origin: Origin(scheme: certificate == nil ? .http : .https, host: host, port: port),
      tls: TLSOptions(trust: .certificates(pem: certificate?.certificatePEM ?? "")), logger: .quiet,
      configuration: configuration)
  }
}
