import Glibc

/// Reads the lines of a file from its end, a block at a time.
///
/// The file may grow and be renamed meanwhile: what is behind its end at the start is not read.
final class LineTail {
  private static let block = 64 << 10
  /// The longest line; one that is longer is given in parts.
  private static let maximumLine = 1 << 20

  /// Returns whether two names are of one file.
  struct Identity: Hashable {
    let device: UInt
    let number: UInt
  }

  let identity: Identity
  private let path: String
  private let descriptor: Int32
  /// The end of the unread part.
  private var offset: Int
  /// Bytes that were read and not given yet.
  private var rest: [UInt8] = []

  /// nil where there is no such file.
  init?(_ path: String) throws(StoreError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw Self.failure(path)
    }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Glibc.close(descriptor)
      throw StoreError(.inaccessible, "'\(path)' is no file.")
    }
    identity = Identity(device: UInt(status.st_dev), number: UInt(status.st_ino))
    offset = Int(status.st_size)
  }

  func close() { Glibc.close(descriptor) }

  /// The next line towards the beginning, without its end; nil where there is none left. Empty lines are passed over.
  func previous() throws(StoreError) -> [UInt8]? {
    while true {
      if let end = rest.lastIndex(of: UInt8(ascii: "\n")) {
        let line = Array(rest[(end + 1)...])
        rest.removeSubrange(end...)
        if !line.isEmpty { return line }
      } else if offset == 0 || rest.count >= Self.maximumLine {
        guard !rest.isEmpty else { return nil }
        defer { rest = [] }
        return rest
      } else {
        try readBlock()
      }
    }
  }

  private func readBlock() throws(StoreError) {
    let start = max(0, offset - Self.block)
    var bytes = [UInt8](repeating: 0, count: offset - start)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(start)) }
    guard count == bytes.count else { throw Self.failure(path) }
    rest = bytes + rest
    offset = start
  }

  private static func failure(_ path: String) -> StoreError {
    StoreError(.inaccessible, "'\(path)' cannot be read: \(String(cString: strerror(errno))).")
  }
}
