import Foundation

/// The reason for which a file of the lab could not be read or written, and what to do.
package struct FileError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }

  static func unreadable(_ url: URL, _ error: any Error) -> FileError {
    FileError("'\(url.path)' cannot be read: \(reason(error)). Is the path right, and may this user read it?")
  }

  static func unwritable(_ url: URL, _ error: any Error) -> FileError {
    FileError(
      "'\(url.path)' cannot be written: \(reason(error)). Is its folder there, is the disk full, may this user write?")
  }

  /// `what` is a file's kind with its article, as "a results.json".
  static func malformed(_ name: String, what: String, _ error: any Error) -> FileError {
    FileError("'\(name)' is not \(what) that this program understands: \(reason(error)).")
  }

  private static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else {
      return (error as? FileError)?.description ?? error.localizedDescription
    }
    switch error {
    case .typeMismatch(let type, let context): return "\(place(context)) should be of type \(type)"
    case .valueNotFound(_, let context): return "\(place(context)) is null"
    case .keyNotFound(let key, let context): return "\(place(context)) has no '\(key.stringValue)'"
    case .dataCorrupted(let context): return "\(place(context)): \(context.debugDescription)"
    @unknown default: return "it is not as expected"
    }
  }

  private static func place(_ context: DecodingError.Context) -> String {
    let path = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
    return path.isEmpty ? "the whole" : "'\(path.hasPrefix(".") ? String(path.dropFirst()) : path)'"
  }
}
