import ArgumentParser
import Foundation
import StreamTransport

/// The target of a run: one server, and paths on it.
struct Target: Sendable {
  struct Resource: Sendable {
    var url: String
    /// Path and query.
    var path: String
  }

  let origin: Origin
  let resources: [Resource]

  /// URLs of one run.
  private static let limit = 1_000

  /// Throws `ValidationError`.
  init(_ urls: [String]) throws {
    guard urls.count <= Self.limit else { throw ValidationError("\(Self.limit) URLs are the most in one run.") }
    let parsed = try urls.map(Self.parse)
    guard let origin = parsed.first?.0 else { throw ValidationError("Give an https URL.") }
    if let other = parsed.first(where: { $0.0 != origin }) {
      throw ValidationError(
        "One connection serves one origin, and \(other.0) is not \(origin); run h3get once for each.")
    }
    self.origin = origin
    resources = parsed.map(\.1)
  }

  private static func parse(_ url: String) throws -> (Origin, Resource) {
    guard let parsed = URL(string: url), var parts = URLComponents(url: parsed, resolvingAgainstBaseURL: true) else {
      throw ValidationError("'\(url)' is no URL; give one such as https://localhost:8443/path.")
    }
    let origin: Origin
    do {
      origin = try Origin(parsed)
    } catch {
      throw ValidationError(error.message)
    }
    guard origin.scheme == .https else { throw ValidationError("HTTP/3 is always encrypted; give an https URL.") }
    guard parts.user == nil, parts.password == nil else {
      throw ValidationError(
        "A user or password in a URL is shown in process lists; put the authorization field into a file, -H @FILE.")
    }
    (parts.scheme, parts.host, parts.port, parts.fragment) = (nil, nil, nil, nil)
    let path = parts.string ?? "/"
    return (origin, Resource(url: url, path: path.hasPrefix("/") ? path : "/\(path)"))
  }
}
