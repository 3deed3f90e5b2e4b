import Foundation
import ReferenceBackend
import ServiceLifecycle

/// The backend as a service that prints on standard output what a person or a script needs to connect.
struct AnnouncedBackend: Service {
  let backend: Backend
  let introduction: [String]

  func run() async throws {
    let address = try await backend.start()
    let lines = introduction + ["listening on \(address.url) (HTTP/3, HTTP/2, HTTP/1.1)"]
    // Not `print`: its buffer would hold the line back from a pipe.
    try FileHandle.standardOutput.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
    try? await gracefulShutdown()
    await backend.shutdown()
  }
}
