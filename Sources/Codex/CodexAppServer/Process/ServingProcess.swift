import Glibc

/// The process that serves a folder's socket, by the number that was noted when it was started.
struct ServingProcess {
  let folder: SocketFolder

  /// nil where it has ended. Numbers are used again, so it is asked whether it is the one that it was.
  var number: pid_t? {
    guard let text = read(folder.processNumber, limit: 32), let number = pid_t(text), number > 1,
      let line = read("/proc/\(number)/cmdline", limit: 64 << 10)
    else { return nil }
    return line.split(separator: "\0").contains("unix://\(folder.socket)") ? number : nil
  }

  /// Notes who serves. Without the note it can only not be ended from here later.
  func note(_ number: pid_t) {
    let descriptor = open(folder.processNumber, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let text = Array("\(number)".utf8)
    _ = text.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  private func read(_ path: String, limit: Int) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
