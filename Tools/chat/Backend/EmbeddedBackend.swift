import Foundation
import Logging
import ReferenceBackend
import StreamTransport

/// A backend inside this program: on loopback, with UDP and TCP, reached like any other.
enum EmbeddedBackend {
  /// Starts it, with its traces in the directory `qlog`; throws ``ChatFailure``.
  static func start(
    model: any ModelAdapter, environment: [String: String], qlog: String?
  ) async throws -> Endpoint {
    do {
      let folder = StateFolder(environment: environment).path
      do { try PrivateFile.makeDirectory(folder) } catch {
        throw ChatFailure(
          code: .cannotConnect,
          message: "\(error.description); set XDG_STATE_HOME to a folder that you may write to")
      }
      let certificate = try DevelopmentCertificate.loadOrMake(in: folder)
      // No one else knows this key, so it lasts as long as the program.
      let key = "rk_" + (0..<4).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined()
      let (backend, address, database) = try await start(
        model, in: folder, certificate: certificate, key: key, qlog: qlog)
      guard let url = URL(string: address.url) else {
        throw ChatFailure(code: .cannotConnect, message: "the backend's address '\(address.url)' is no URL")
      }
      return Endpoint(
        baseURL: url, apiKey: key, tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)),
        name: "embedded:" + database,
        shutdown: { await backend.shutdown() })
    } catch let failure as ChatFailure {
      throw failure
    } catch {
      throw ChatFailure(code: .cannotConnect, message: "the backend inside this program doesn't start: \(error)")
    }
  }

  /// Each program needs a log of its own while it runs, so the first that no other one has open is taken.
  private static func start(
    _ model: any ModelAdapter, in folder: String, certificate: DevelopmentCertificate, key: String, qlog: String?
  ) async throws -> (Backend, BoundAddress, database: String) {
    var number = 1
    while true {
      let name = number == 1 ? "chat.sqlite" : "chat-\(number).sqlite"
      let configuration = BackendConfiguration(
        certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM,
        databasePath: folder + "/" + name, apiKeys: [key], model: model,
        // The reader of this message chose the model.
        settings: BackendSettings(explainsModelErrors: true), drainTimeout: .seconds(2),
        http3: HTTP3ServerOptions(qlogDirectory: qlog))
      let backend = Backend(configuration, logger: Logger(label: "backend"))
      do {
        return (backend, try await backend.start(), name)
      } catch let error as BackendError where error.code == .database && number < 16 {
        number += 1
      }
    }
  }
}
