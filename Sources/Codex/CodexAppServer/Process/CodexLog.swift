import Glibc

/// The file that codex writes its log into. It continues writing there when nobody reads, so a pipe will not do.
struct CodexLog: Sendable {
  /// Above it the file is emptied.
  private static let longest = 1 << 20
  /// The last bytes, which are kept beside it then.
  private static let kept = 64 << 10

  let path: String

  /// Opens it for a process that is to be started; the descriptor is the caller's. nil where it cannot be opened.
  func open() -> CInt? {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    return descriptor < 0 ? nil : descriptor
  }

  /// Empties it if it has become long; a process that has it open to append continues at its beginning.
  func trim() {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard lseek(descriptor, 0, SEEK_END) > Self.longest else { return }
    let end = last(Self.kept, of: descriptor)
    let old = Glibc.open(path + ".old", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if old >= 0 {
      _ = end.withUnsafeBytes { write(old, $0.baseAddress, $0.count) }
      close(old)
    }
    ftruncate(descriptor, 0)
  }

  /// The reason for codex's end, for a message: the last line that names an error, or else the last one.
  func lastWord() -> String {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    return Self.lastWord(of: last(4_000, of: descriptor))
  }

  /// A start that fails may end with the frames of a backtrace, which help nobody.
  static func lastWord(of bytes: [UInt8]) -> String {
    let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map { String(decoding: $0, as: UTF8.self) }
    let error = lines.last { $0.utf8.starts(with: "Error: ".utf8) }
    return error.map { String($0.dropFirst(7)) } ?? lines.last ?? ""
  }

  private func last(_ count: Int, of descriptor: CInt) -> [UInt8] {
    let size = Int(lseek(descriptor, 0, SEEK_END))
    guard size > 0 else { return [] }
    lseek(descriptor, off_t(max(0, size - count)), SEEK_SET)
    var bytes = [UInt8](repeating: 0, count: min(size, count))
    let read = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    return Array(bytes.prefix(max(0, read)))
  }
}
