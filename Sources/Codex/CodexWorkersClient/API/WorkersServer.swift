package import Foundation
package import Logging
package import StreamTransport

/// A server of the worker API as a program is given it, and the way there.
package struct WorkersServer: Sendable {
  package let url: URL
  package let origin: Origin

  /// nil for a text that is no http or https URL.
  package init?(_ text: String) {
    guard let url = URL(string: text), let origin = try? Origin(url) else { return nil }
    self.url = url
    self.origin = origin
  }

  /// The name under which sign-ins and caches are kept.
  package var name: String { origin.description }

  /// Throws `TransportError` for plaintext to another machine.
  ///
  /// - Parameters:
  ///   - caFile: the authorities to trust, and no others; nil for the system's.
  ///   - files: the beginning of the paths of what is remembered of the server.
  package func transport(
    caFile: String?, files: String, logger: Logger
  ) throws(TransportError) -> any HTTPTransport {
    try WorkersTransport.make(
      origin, tls: TLSOptions(trust: caFile.map { .certificateFile($0) } ?? .system),
      tickets: ResumptionStore(file: files + "-tickets", logger: logger),
      memory: OriginStore(file: files + "-origins", logger: logger), logger: logger)
  }
}
