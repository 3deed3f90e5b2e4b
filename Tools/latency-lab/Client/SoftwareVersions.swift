import Foundation
import HTTP3Engine

/// Names and versions of a client's components, for the record.
enum SoftwareVersions {
  static var http3: String {
    "agent-stream HTTP/3 (ngtcp2 \(EngineVersions.ngtcp2), nghttp3 \(EngineVersions.nghttp3), "
      + "GnuTLS \(EngineVersions.gnutls))"
  }

  static var http1: String {
    "agent-stream HTTP/1.1 (\(package("swift-nio", "SwiftNIO")), \(package("swift-nio-ssl", "SwiftNIO SSL")))"
  }

  static var http2: String {
    "\(package("async-http-client", "AsyncHTTPClient")) (\(package("swift-nio-http2", "SwiftNIO HTTP/2")), "
      + "\(package("swift-nio-ssl", "SwiftNIO SSL")))"
  }

  /// The name with the version that was resolved when the program was built, as far as its build folder is still there.
  static func package(_ identity: String, _ name: String) -> String {
    resolved[identity].map { "\(name) \($0)" } ?? name
  }

  private static let resolved: [String: String] = {
    guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return [:] }
    var folder = program.deletingLastPathComponent()
    for _ in 0..<6 {
      let file = folder.appendingPathComponent("Package.resolved")
      if let data = try? Data(contentsOf: file) { return versions(in: data) }
      folder.deleteLastPathComponent()
    }
    return [:]
  }()

  /// The pins of a `Package.resolved`; those without a version are left out.
  static func versions(in data: Data) -> [String: String] {
    struct Resolved: Decodable {
      struct Pin: Decodable {
        struct State: Decodable { var version: String? }
        var identity: String
        var state: State
      }
      var pins: [Pin]
    }
    guard let resolved = try? JSONDecoder().decode(Resolved.self, from: data) else { return [:] }
    var versions: [String: String] = [:]
    for pin in resolved.pins { versions[pin.identity] = pin.state.version }
    return versions
  }
}
