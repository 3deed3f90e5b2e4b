import CLinux
import Glibc

/// A file of which path and bytes are in memory already, so that reading it waits for no disk and needs no other thread.
package enum CachedFile {
  /// The attributes of a file.
  package struct Attributes: Equatable, Sendable {
    package var size: Int
    /// Whole seconds since 1970.
    package var modified: Int
    package var isFolder: Bool
  }

  /// The answer to a question about a file.
  package enum Answer<Value> {
    case found(Value)
    case missing
    /// The system would have to wait for it, or cannot tell; ask where that may be done.
    case notAtHand
  }

  /// Looks through symbolic links.
  package static func attributes(of path: String) -> Answer<Attributes> {
    var file = clinux_file()
    switch clinux_file_look(path, &file) {
    case 0...:
      return .found(Attributes(size: Int(file.size), modified: Int(file.modified), isFolder: file.is_folder))
    case -ENOENT, -ENOTDIR: return .missing
    default: return .notAtHand
    }
  }

  /// The part of a regular file that is asked for, or all of it, if that is no more than `limit` bytes; what is behind the file's
  /// end is left out, and a range that begins there is not answered.
  package static func bytes(of path: String, in range: ClosedRange<Int>?, limit: Int) -> Answer<[UInt8]> {
    var file = clinux_file()
    let number = clinux_file_open(path, &file)
    guard number >= 0 else { return number == -ENOENT || number == -ENOTDIR ? .missing : .notAtHand }
    defer { clinux_close(number) }
    guard file.is_regular, let part = part(of: Int(file.size), range), part.count <= limit else { return .notAtHand }
    var answer = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: part.count) { buffer, initialized in
      if part.count > 0 { answer = clinux_file_read(number, buffer.baseAddress, part.count, Int64(part.lowerBound)) }
      initialized = max(answer, 0)
    }
    // Otherwise some of it is not in memory, or it was cut short meanwhile.
    return answer == part.count ? .found(bytes) : .notAtHand
  }

  private static func part(of size: Int, _ range: ClosedRange<Int>?) -> Range<Int>? {
    guard let range else { return 0..<max(size, 0) }
    guard range.lowerBound >= 0, range.lowerBound < size else { return nil }
    return range.lowerBound..<min(range.upperBound, size - 1) + 1
  }
}
