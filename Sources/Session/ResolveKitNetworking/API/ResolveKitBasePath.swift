import EventStream
package import Foundation

/// Joins the path of a base URL, such as `/agent`, with the paths that the contract names.
package struct ResolveKitBasePath: Equatable, Sendable {
  /// Empty, or a path that begins with a slash and ends without one; percent-encoded.
  package let prefix: String

  package init(_ baseURL: URL) {
    var path = baseURL.path(percentEncoded: true)
    while path.hasSuffix("/") { path.removeLast() }
    prefix = path.isEmpty || path.hasPrefix("/") ? path : "/" + path
  }

  /// The request target of `path`, which begins with a slash.
  ///
  /// A server behind a prefix that it can't see answers with paths without it, such as `events_url`; one that can see
  /// it answers with the prefix. Both give the same target.
  package func target(_ path: String) -> String {
    let path = path.hasPrefix("/") ? path : "/" + path
    let hasPrefix = path == prefix || path.hasPrefix(prefix + "/") || path.hasPrefix(prefix + "?")
    return hasPrefix && !prefix.isEmpty ? path : prefix + path
  }

  /// `value` as a part of a path or a query: everything but the unreserved characters of RFC 3986 § 2.3 is escaped.
  package static func encoded(_ value: String) -> String { PercentEncoding.encode(value) }
}
