import Foundation
import HTTP3Engine
import HTTPTypes
import Logging
import StreamTransport

/// The server's part of a case: it serves files until it is ended.
struct EndpointServer {
  /// Bytes of a file that are read at once.
  private static let pieceSize = 64 << 10

  let contract: EndpointContract
  let logger: Logger

  /// Listens and answers the port; the server runs on.
  ///
  /// - Parameter change: adjusts the server's configuration last.
  func start(
    _ change: (inout HTTP3ServerConfiguration) -> Void = { _ in }
  ) async throws -> (server: HTTP3Server, port: Int) {
    var configuration = try Self.configuration(for: contract)
    if contract.testCase == .connectionmigration { configuration.preferredAddresses = await preferredAddresses() }
    change(&configuration)
    let folder = DocumentFolder(path: contract.www)
    let logger = logger
    let server = HTTP3Server(configuration, logger: logger) { exchange in
      do {
        try await Self.answer(exchange, from: folder)
      } catch {
        logger.debug("not answered", metadata: ["path": "\(exchange.request.path ?? "")", "reason": "\(error)"])
      }
    }
    return (server, try await server.start())
  }

  /// This machine's own by the names that the runner gives them, on another port: the only one is then enough.
  private func preferredAddresses() async -> [ServerAddress] {
    let port: UInt16 = contract.port == 443 ? 4_433 : 0
    var addresses: [ServerAddress] = []
    for name in ["server4", "server6"] {
      guard let found = try? await NameResolver.resolve(name, port: port, timeout: .seconds(5)),
        let address = found.first(where: { $0.isIPv4 == (name == "server4") })
      else { continue }
      addresses.append(ServerAddress(address: address.literal, port: Int(port)))
    }
    let isAnyAddress = ["::", "0.0.0.0"].contains(contract.address)
    return addresses.isEmpty && !isAnyAddress ? [ServerAddress(address: contract.address, port: Int(port))] : addresses
  }

  static func configuration(for contract: EndpointContract) throws(EndpointFailure) -> HTTP3ServerConfiguration {
    func text(_ name: String) throws(EndpointFailure) -> String {
      let path = contract.certificates + "/" + name
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw EndpointFailure("\(path) cannot be read; CERTS is the folder with cert.pem and priv.key.")
      }
      return text
    }
    var configuration = HTTP3ServerConfiguration(
      address: contract.address, port: contract.port, certificatePEM: try text("cert.pem"),
      privateKeyPEM: try text("priv.key"))
    configuration.options.mapping = contract.mapping
    configuration.options.keyLogFile = contract.keyLogFile
    configuration.options.qlogDirectory = contract.qlogDirectory
    configuration.options.alwaysValidatesAddresses = contract.testCase == .retry
    configuration.options.prefersQUICVersion2 = contract.testCase == .v2
    if contract.testCase == .chacha20 { configuration.options.cipherSuites = [.chaCha20Poly1305] }
    // Of a client that lost most of its packets.
    configuration.limits.handshakeTimeout = .seconds(60)
    return configuration
  }

  private static func answer(_ exchange: HTTP3ServerExchange, from folder: DocumentFolder) async throws {
    guard exchange.request.method == .get, let file = folder.open(exchange.request.path ?? "") else {
      try await exchange.respond(HTTPResponse(status: .notFound))
      return try await exchange.finish()
    }
    try await exchange.respond(HTTPResponse(status: .ok))
    while true {
      let piece = try file.read(upTo: pieceSize)
      guard !piece.isEmpty else { break }
      try await exchange.write(piece)
    }
    try await exchange.finish()
  }
}
