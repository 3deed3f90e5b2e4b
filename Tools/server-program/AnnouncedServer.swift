import Foundation
package import ServiceLifecycle

/// A server as a service that tells on standard output what a person or a script needs to connect.
package struct AnnouncedServer: Service {
  private let lines: [String]
  private let start: @Sendable () async throws -> String
  private let shutdown: @Sendable () async -> Void

  /// - Parameters:
  ///   - lines: what is printed first.
  ///   - start: listens, and returns the line that says where; see ``line(address:port:)``.
  package init(
    lines: [String], start: @escaping @Sendable () async throws -> String,
    shutdown: @escaping @Sendable () async -> Void
  ) {
    self.lines = lines
    self.start = start
    self.shutdown = shutdown
  }

  package func run() async throws {
    let lines = lines + [try await start()]
    // Not `print`: its buffer would hold the line back from a pipe.
    try FileHandle.standardOutput.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
    try? await gracefulShutdown()
    await shutdown()
  }

  /// The line that scripts wait for.
  package static func line(address: String, port: Int) -> String {
    line(url: "https://\(address.contains(":") ? "[\(address)]" : address):\(port)")
  }

  /// The same for an address that is a URL already.
  package static func line(url: String) -> String { "listening on \(url) (HTTP/3, HTTP/2, HTTP/1.1)" }
}
