import ArgumentParser
import Foundation
import StreamTransport

/// The backend that is talked to, and how.
struct Endpoint: Sendable {
  var baseURL: URL
  var apiKey: String?
  var tls: TLSOptions
  /// Ends what was started for it.
  var shutdown: @Sendable () async -> Void = {}

  /// The backend that the command line or the environment names, else one inside this program.
  static func make(_ options: ChatOptions, environment: [String: String]) async throws -> Endpoint {
    let name = options.url ?? environment["RESOLVEKIT_BASE_URL"].flatMap { $0.isEmpty ? nil : $0 }
    guard let name else { return try await EmbeddedBackend.start(environment: environment, qlog: options.qlog) }
    guard let url = URL(string: name) else {
      throw ChatFailure(code: .usage, message: "'\(name)' is no address")
    }
    let origin: Origin
    do { origin = try Origin(url) } catch { throw ChatFailure(code: .usage, message: error.message) }
    guard origin.scheme == .https || origin.isLoopback || options.allowPlaintext else {
      throw ChatFailure(
        code: .usage, message: "http:// sends the key in the clear; use https://, or --allow-plaintext if you must")
    }
    var tls = TLSOptions()
    if let file = options.caFile { tls.trust = .certificateFile(file) }
    return Endpoint(baseURL: url, apiKey: try apiKey(options, environment: environment), tls: tls)
  }

  private static func apiKey(_ options: ChatOptions, environment: [String: String]) throws -> String {
    if let file = options.apiKeyFile {
      guard let handle = FileHandle(forReadingAtPath: file), let data = try? handle.read(upToCount: 4097) else {
        throw ChatFailure(code: .usage, message: "the API key file '\(file)' can't be read")
      }
      let key = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      guard !key.isEmpty, data.count <= 4096 else {
        throw ChatFailure(code: .usage, message: "the API key file '\(file)' holds no key")
      }
      return key
    }
    if let key = environment["RESOLVEKIT_API_KEY"], !key.isEmpty { return key }
    throw ChatFailure(code: .notAuthorised, message: "no API key; give one with --api-key-file or RESOLVEKIT_API_KEY")
  }
}
