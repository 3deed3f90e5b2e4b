import CQUIC

/// The versions of the C libraries that are really loaded, for reports.
package enum EngineVersions {
  package static var ngtcp2: String { text(ngtcp2_version(0)?.pointee.version_str) }
  package static var nghttp3: String { text(nghttp3_version(0)?.pointee.version_str) }
  package static var gnutls: String { text(gnutls_check_version(nil)) }

  private static func text(_ version: UnsafePointer<CChar>?) -> String {
    version.map { String(cString: $0) } ?? "unknown"
  }
}
