import Glibc
import StreamTransport

/// Standing approvals that could not be read or changed.
public struct ResolveKitApprovalStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, for a caller to decide on.
  public enum Code: String, Hashable, Sendable {
    /// Others than its owner may read or write the file, so nothing in it is believed.
    case notPrivate
    /// A later version of the SDK wrote the file; it is left as it is.
    case newerVersion
    /// There are as many decisions as may be kept.
    case full
    /// The file or its folder could not be read or written.
    case inaccessible
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence that names the remedy.
  public let message: String

  public var description: String { message }

  static func notPrivate(_ path: String) -> Self {
    Self(code: .notPrivate, message: "\(path) is open to others; look at what is in it, then run: chmod 600 \(path)")
  }

  static func newerVersion(_ path: String, _ version: Int) -> Self {
    Self(
      code: .newerVersion,
      message: "\(path) has version \(version), and this SDK knows version \(ApprovalFile.version); use the newer SDK, "
        + "or another file.")
  }

  static func full(_ count: Int) -> Self {
    Self(code: .full, message: "\(count) decisions on tools are kept already; revoke some that are no longer needed.")
  }

  static func inaccessible(_ failure: PrivateFile.Failure) -> Self {
    let isFull = failure.number == ENOSPC || failure.number == EDQUOT
    let remedy = isFull ? "Make room on the disk." : "Check the path and its permissions."
    return inaccessible("Decisions on tools: \(failure). \(remedy)")
  }

  static func inaccessible(_ message: String) -> Self { Self(code: .inaccessible, message: message) }
}
