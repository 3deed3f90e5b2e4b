import Foundation
import HTTP3Engine
import HTTPTypes
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// One table for both transports: a server that is not the right one is refused with a sentence of its own, and sees no
/// byte of a request.
@Suite(.timeLimit(.minutes(10))) struct TLSRefusalTests {
  enum Kind: String, CaseIterable, Sendable {
    case expired
    case notYetValid
    case selfSigned
    case wrongName
    case wrongAddress
    case wrongChain
    case wrongPin
    case downgradedProtocol
  }

  private struct Row {
    var certificate: DevelopmentCertificate
    var trust: TLSOptions.Trust
    var host = "localhost"
    /// The server's protocol over QUIC.
    var applicationProtocol = "h3"
    var code = TransportError.Code.certificateRejected
    /// A part of the sentence.
    var words: String
  }

  private static func row(_ kind: Kind) throws -> Row {
    func trusting(_ certificate: DevelopmentCertificate) -> TLSOptions.Trust {
      .certificates(pem: certificate.certificatePEM)
    }
    let good = TestCertificate.p256
    let day = 86_400.0
    switch kind {
    case .expired:
      let certificate = try DevelopmentCertificate.make(
        notBefore: Date(timeIntervalSinceNow: -2 * day), notAfter: Date(timeIntervalSinceNow: -day))
      return Row(certificate: certificate, trust: trusting(certificate), words: "has expired")
    case .notYetValid:
      let certificate = try DevelopmentCertificate.make(notBefore: Date(timeIntervalSinceNow: day))
      return Row(certificate: certificate, trust: trusting(certificate), words: "not yet valid")
    // What the system trusts does not hold a certificate that was made just now.
    case .selfSigned: return Row(certificate: good, trust: .system, words: "signed by no authority")
    case .wrongName:
      let certificate = try DevelopmentCertificate.make(hosts: ["other.example", "127.0.0.1"])
      return Row(certificate: certificate, trust: trusting(certificate), words: "another name than 'localhost'")
    case .wrongAddress:
      let certificate = try DevelopmentCertificate.make(hosts: ["localhost"])
      return Row(
        certificate: certificate, trust: trusting(certificate), host: "127.0.0.1",
        words: "another name than '127.0.0.1'")
    // The authority has the right name and another key.
    case .wrongChain:
      return Row(certificate: good, trust: trusting(try .make()), words: "was not signed by it")
    case .wrongPin:
      return Row(
        certificate: good, trust: .pinned(sha256: try DevelopmentCertificate.make().sha256), words: "not the pinned one"
      )
    case .downgradedProtocol:
      return Row(
        certificate: good, trust: trusting(good), applicationProtocol: "other", code: .tls,
        words: "application protocol")
    }
  }

  /// The one that ``HTTP1ProtocolTests`` holds for HTTP/1.1 is left out.
  static let cases =
    Kind.allCases.map { ($0, TransportKind.http3) }
    + Kind.allCases.filter { $0 != .downgradedProtocol }.map { ($0, TransportKind.http1) }

  @Test(arguments: cases)
  func isRefusedBeforeAByteIsDelivered(_ kind: Kind, _ transport: TransportKind) async throws {
    let row = try Self.row(kind)
    let seen = Mutex(0)
    let error: TransportError? =
      switch transport {
      case .http3: try await overHTTP3(row) { seen.withLock { $0 += 1 } }
      case .http1: try await overHTTP1(row) { seen.withLock { $0 += 1 } }
      }
    #expect(error?.code == row.code, "\(String(describing: error))")
    #expect(error?.message.contains(row.words) == true, "\(String(describing: error))")
    #expect(seen.withLock { $0 } == 0)
  }

  /// A ticket is no certificate: who has the server's address and not its keys gets no early data to read.
  @Test func aTicketOpensNoOtherServer() async throws {
    let store = ResumptionStore.patient
    let host = "127.83.2.1"
    let first = try await HTTP3TestServer.start(host: host)
    let tls = TLSOptions(trust: .certificates(pem: first.certificate.certificatePEM))
    let before = first.makeTransport(resumption: store)
    _ = try await before.send(HTTPRequest(path: "/")).body.collect(upTo: 0)
    await until { await store.ticketCount(before.origin) != 0 }
    await before.close()
    await first.server.close()
    let seen = Mutex(0)
    try await HTTP3TestServer.run(host: host, port: first.port, handler: { _ in seen.withLock { $0 += 1 } }) { server in
      let error = await Self.error(server.makeTransport(tls: tls, resumption: store))
      #expect(error?.code == .certificateRejected)
      #expect(error?.message.contains("was not signed by it") == true, "\(String(describing: error))")
    }
    #expect(seen.withLock { $0 } == 0)
  }

  /// The same servers with nothing wrong with them answer.
  @Test(arguments: [TransportKind.http3, .http1])
  func theRightServerIsTaken(_ transport: TransportKind) async throws {
    let certificate = TestCertificate.p256
    let row = Row(certificate: certificate, trust: .certificates(pem: certificate.certificatePEM), words: "")
    let seen = Mutex(0)
    let error: TransportError? =
      switch transport {
      case .http3: try await overHTTP3(row) { seen.withLock { $0 += 1 } }
      case .http1: try await overHTTP1(row) { seen.withLock { $0 += 1 } }
      }
    #expect(error == nil)
    #expect(seen.withLock { $0 } == 1)
  }

  private func overHTTP3(_ row: Row, onRequest: () -> Void) async throws -> TransportError? {
    var result: TransportError?
    try await EngineServer.run(
      row.certificate, configure: { $0.applicationProtocol = row.applicationProtocol }
    ) { server in
      let origin = Origin(scheme: .https, host: row.host, port: server.port)
      result = await Self.error(
        HTTP3Transport(origin: origin, tls: TLSOptions(trust: row.trust), logger: .quiet, configuration: .patient))
      for _ in await server.requests { onRequest() }
    }
    return result
  }

  private func overHTTP1(_ row: Row, onRequest: @escaping @Sendable () -> Void) async throws -> TransportError? {
    try await RawServer.run(row.certificate) { peer in
      guard try await peer.request() != nil else { return }
      onRequest()
      try await peer.send("HTTP/1.1 204 No Content\r\n\r\n")
    } body: { server in
      let origin = Origin(scheme: .https, host: row.host, port: server.port)
      return await Self.error(
        HTTP1Transport(origin: origin, tls: TLSOptions(trust: row.trust), logger: .quiet, configuration: .patient))
    }
  }

  private static func error(_ transport: some HTTPTransport) async -> TransportError? {
    do {
      try await withTransport(transport) { transport in
        let response = try await transport.send(HTTPRequest(path: "/"))
        _ = try await response.body.collect(upTo: 0)
      }
      return nil
    } catch {
      return error as? TransportError
    }
  }
}
