import Foundation
import Logging
import ReferenceBackend
import StreamTransport

/// The backend that is talked to.
struct Connection {
  let url: URL
  let apiKey: String
  let tls: TLSOptions
  private var backend: Backend?

  init(url: URL, apiKey: String, tls: TLSOptions) {
    self.url = url
    self.apiKey = apiKey
    self.tls = tls
  }

  /// A backend inside this program, with a demonstrator that calls tools by their names' words.
  static func embedded() async throws(SampleFailure) -> Connection {
    do {
      let certificate = try DevelopmentCertificate.make()
      // No one else knows this key, so it lasts as long as the program.
      let key = "rk_" + (0..<4).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined()
      var logger = Logger(label: "backend")
      logger.logLevel = .error
      let backend = Backend(
        BackendConfiguration(
          certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM, databasePath: nil,
          apiKeys: [key], model: DemoModel(), drainTimeout: .seconds(2)), logger: logger)
      let address = try await backend.start()
      guard let url = URL(string: address.url) else {
        throw SampleFailure.cannotConnect("The backend's address '\(address.url)' is no URL.")
      }
      var connection = Connection(
        url: url, apiKey: key, tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)))
      connection.backend = backend
      return connection
    } catch let failure as SampleFailure {
      throw failure
    } catch {
      throw .cannotConnect("The backend inside this program doesn't start: \(error)")
    }
  }

  func close() async {
    await backend?.shutdown()
  }

  /// The address without what may be secret in it.
  var shownURL: String {
    var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    parts?.user = nil
    parts?.password = nil
    parts?.query = nil
    return parts?.string ?? ""
  }

  /// Enough of the key to recognise it by.
  var maskedKey: String {
    apiKey.count > 12 ? "\(apiKey.prefix(4))…\(apiKey.suffix(4))" : "…"
  }
}
