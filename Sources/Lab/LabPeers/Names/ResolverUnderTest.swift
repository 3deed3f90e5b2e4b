import Foundation
import HTTP3Engine
package import StreamTransport

/// A resolver with files of its own. Where `resolv.conf` does not say it, a question is repeated after 30 s alone, so that a
/// busy machine does not count as a silent server.
package final class ResolverUnderTest: Sendable {
  package let resolver: NameResolver
  package let loop: EventLoop
  private let folder: URL

  package init(
    resolvConf: String, hosts: String = "", nsswitch: String = "", environment: [String: String] = [:],
    machine: String = ""
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "names-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    loop = try EventLoop(name: "test")
    resolver = NameResolver(
      loop: loop, files: NameFiles(folder: folder.path, environment: environment, machine: { machine }))
    try write("options timeout:30\n" + resolvConf, to: "resolv.conf")
    try write(hosts, to: "hosts")
    try write(nsswitch, to: "nsswitch.conf")
  }

  deinit {
    loop.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  package func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
  }

  /// The addresses without a port.
  package func addresses(of name: String, timeout: Duration = .seconds(600)) async throws -> [String] {
    try await resolver.resolve(name, port: 443, timeout: timeout).map(\.literal)
  }
}
