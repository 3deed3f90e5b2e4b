import Foundation
import StreamTransport

/// The backend's address and its demands; nothing continues before both are known.
struct ConnectionSettings {
  /// The word that stands for a backend inside this program.
  static let embedded = "embedded"
  private static let keyLimit = 4096

  private(set) var host: String?
  private(set) var apiKey: String?
  private let caFile: String?

  var isEmbedded: Bool { host == Self.embedded }
  var needsHost: Bool { host == nil }
  /// The backend inside this program gets a key that is made for it.
  var needsKey: Bool { apiKey == nil && !isEmbedded }

  /// The first of flag and variable that has a value.
  init(url: String?, apiKeyFile: String?, caFile: String?, environment: [String: String]) throws(SampleFailure) {
    self.caFile = caFile
    if let url = [url, environment["RESOLVEKIT_BASE_URL"]].compactMap({ $0 }).first(where: { !$0.isEmpty }) {
      try setHost(url)
    }
    if let apiKeyFile {
      try setKey(Self.key(in: apiKeyFile))
    } else if let key = environment["RESOLVEKIT_API_KEY"], !key.isEmpty {
      try setKey(key)
    }
  }

  /// Throws ``SampleFailure`` for what is no address, and for one that the key would be sent to in the clear.
  mutating func setHost(_ text: String) throws(SampleFailure) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text != Self.embedded else {
      host = text
      return
    }
    guard let url = URL(string: text), let origin = try? Origin(url) else {
      throw .usage("'\(text)' is no address; give one such as https://localhost:8443, or '\(Self.embedded)'.")
    }
    guard origin.scheme == .https || origin.isLoopback else {
      throw .usage("http:// would send the key in the clear; use https://.")
    }
    host = text
  }

  mutating func setKey(_ text: String) throws(SampleFailure) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, text.utf8.count <= Self.keyLimit else {
      throw .usage("An API key has 1 to \(Self.keyLimit) bytes.")
    }
    apiKey = text
  }

  /// Throws ``SampleFailure`` for a file that others than its owner may read.
  private static func key(in path: String) throws(SampleFailure) -> String {
    let file = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let mode = attributes?[.posixPermissions] as? NSNumber,
      let text = try? String(contentsOfFile: file, encoding: .utf8)
    else { throw .usage("The API key file '\(path)' can't be read.") }
    guard mode.intValue & 0o077 == 0 else {
      throw .usage("The API key file '\(path)' can be read by others; chmod 600 '\(path)'.")
    }
    return text
  }

  /// Starts the backend inside this program where it is asked for.
  func open() async throws(SampleFailure) -> Connection {
    if isEmbedded { return try await Connection.embedded() }
    guard let host, let url = URL(string: host), let apiKey else {
      throw .usage("Host and API key are required.")
    }
    var tls = TLSOptions()
    if let caFile { tls.trust = .certificateFile(caFile) }
    return Connection(url: url, apiKey: apiKey, tls: tls)
  }
}
