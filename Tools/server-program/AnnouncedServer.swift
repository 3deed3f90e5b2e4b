import Foundation
package import HummingbirdHTTP3
package import Logging
package import ServiceLifecycle
import UnixSignals

/// A server as a service that prints what a person or a script needs to connect.
package struct AnnouncedServer: Service {
  private let lines: [String]
  private let start: @Sendable () async throws -> String
  private let renewal: CertificateRenewal?
  private let supervision: Supervision
  private let shutdown: @Sendable () async -> Void

  /// - Parameters:
  ///   - lines: what is printed first.
  ///   - start: listens, and returns the line that says where; see ``line(address:port:)``.
  ///   - renewal: renews the certificate while the server runs.
  ///   - supervision: who is told of its state.
  package init(
    lines: [String], start: @escaping @Sendable () async throws -> String, renewal: CertificateRenewal? = nil,
    supervision: Supervision, shutdown: @escaping @Sendable () async -> Void
  ) {
    self.lines = lines
    self.start = start
    self.renewal = renewal
    self.supervision = supervision
    self.shutdown = shutdown
  }

  package func run() async throws {
    let place = try await start()
    let lines = lines + [place]
    // Not `print`: its buffer would hold the line back from a pipe.
    try FileHandle.standardOutput.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
    supervision.ready(place)
    // Returns, as the other, when the server is to shut down.
    await renewal?.watch()
    try? await gracefulShutdown()
    supervision.stopping()
    await shutdown()
  }

  /// Serves until SIGTERM or SIGINT, then shuts down.
  ///
  /// At each SIGHUP the access log's file is opened, and the certificate read, anew; where there is neither, and no service
  /// manager that is told, that signal ends the process, as it ends others.
  package func serve(logger: Logger, accessLog: AccessLogFile? = nil) async throws {
    DescriptorLimit.raise(logger)
    var services = [
      ServiceGroupConfiguration.ServiceConfiguration(
        service: self, successTerminationBehavior: .gracefullyShutdownGroup)
    ]
    // The last of a group is the first to end.
    if accessLog != nil || renewal != nil || supervision.isTold {
      let reload = ReloadService { [renewal, supervision] in
        await supervision.reload {
          accessLog?.reopen()
          await renewal?.reload()
        }
      }
      services.append(.init(service: reload))
    }
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    let watch = supervision.watch()
    defer { watch?.cancel() }
    try await group.run()
    await accessLog?.flush()
  }

  /// The line that scripts wait for.
  package static func line(address: String, port: Int) -> String {
    line(url: "https://\(address.contains(":") ? "[\(address)]" : address):\(port)")
  }

  /// The same for an address that is a URL already.
  package static func line(url: String) -> String { "listening on \(url) (HTTP/3, HTTP/2, HTTP/1.1)" }
}
