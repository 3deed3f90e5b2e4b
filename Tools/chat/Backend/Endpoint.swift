import ArgumentParser
import Foundation
import ResolveKitTerminal
import ResolveKitUI
import StreamTransport

/// The backend that is talked to, and how.
struct Endpoint: Sendable {
  var baseURL: URL
  var apiKey: String?
  var tls: TLSOptions
  /// The name that sessions are kept under, where the address is another one each time.
  var name: String?
  /// Ends what was started for it.
  var shutdown: @Sendable () async -> Void = {}

  /// The backend that is set, else one inside this program.
  static func make(_ settings: ChatSettings, environment: [String: String]) async throws -> Endpoint {
    guard let name = settings.text(.baseURL) else {
      let model = try EmbeddedModel.make(settings, environment: environment)
      return try await EmbeddedBackend.start(model: model, environment: environment, qlog: settings.text(.qlog))
    }
    guard let url = URL(string: name) else {
      throw ChatFailure(code: .usage, message: "'\(name)' is no address")
    }
    let origin: Origin
    do { origin = try Origin(url) } catch { throw ChatFailure(code: .usage, message: error.message) }
    guard origin.scheme == .https || origin.isLoopback || settings.allowsPlaintext else {
      throw ChatFailure(
        code: .usage, message: "http:// sends the key in the clear; use https://, or --allow-plaintext if you must")
    }
    let tls = try tls(settings)
    return Endpoint(baseURL: url, apiKey: try apiKey(settings), tls: tls)
  }

  /// Whom the settings trust, and the certificate that they have to show.
  static func tls(_ settings: ChatSettings) throws(ChatFailure) -> TLSOptions {
    let (certificate, key) = (settings.text(.certificate), settings.text(.privateKey))
    for file in [settings.text(.caFile), certificate, key].compactMap({ $0 }) where access(file, R_OK) != 0 {
      throw ChatFailure(
        code: .usage, message: "the certificates in '\(file)' can't be read: \(String(cString: strerror(errno)))")
    }
    var tls = TLSOptions()
    if let file = settings.text(.caFile) { tls.trust = .certificateFile(file) }
    switch (certificate, key) {
    case (nil, nil): break
    case (let certificate?, let key?): tls.identity = .files(certificateChain: certificate, privateKey: key)
    case (_?, nil), (nil, _?):
      throw ChatFailure(code: .usage, message: "--certificate and --private-key go together")
    }
    return tls
  }

  private static func apiKey(_ settings: ChatSettings) throws(ChatFailure) -> String {
    if let file = settings.text(.apiKeyFile) {
      do { return try APIKeyFile.read(file) } catch {
        throw ChatFailure(code: .usage, message: error.description)
      }
    }
    if let key = settings.text(.apiKey) { return key }
    throw ChatFailure(code: .notAuthorised, message: "no API key; give one with --api-key-file or RESOLVEKIT_API_KEY")
  }
}
