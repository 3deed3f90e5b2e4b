import Foundation
import Glibc
import Synchronization

/// A terminal without a screen: what a program writes is recorded, what a test types is its input.
final class PseudoTerminal: Sendable {
  struct Unavailable: Error {
    var call: String
    var number: Int32
  }

  private struct State {
    var record: [UInt8] = []
    var isClosed = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The device that the program opens as its own.
  let path: String
  private let master: Int32
  /// Held open, so that the terminal stays when the program goes.
  private let slave: Int32
  private let state = Mutex(State())

  init() throws {
    // Swift's Glibc has neither posix_openpt nor unlockpt: this is what they do (ioctl_tty(2): TIOCSPTLCK, TIOCGPTN).
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard master >= 0 else { throw Unavailable(call: "open /dev/ptmx", number: errno) }
    var lock: CInt = 0
    var number: CInt = 0
    guard ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw Unavailable(call: "ioctl", number: errno)
    }
    path = "/dev/pts/\(number)"
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw Unavailable(call: "open", number: errno) }
    let queue = DispatchQueue(label: "pseudo-terminal")
    queue.async { [weak self, master] in
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(master, &bytes, bytes.count)
        if count < 0, errno == EINTR { continue }
        guard let self else { return }
        self.received(count > 0 ? bytes[..<count] : nil)
        if count <= 0 { return }
      }
    }
  }

  /// Ends the terminal once its program has ended, and all that it wrote is in ``record``.
  func end() async {
    Glibc.close(slave)
    await withCheckedContinuation { waiter in
      let isClosed = state.withLock { state in
        if !state.isClosed { state.waiters.append(waiter) }
        return state.isClosed
      }
      if isClosed { waiter.resume() }
    }
    Glibc.close(master)
  }

  /// Gives the terminal another size, as resizing its window does.
  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  private func received(_ bytes: ArraySlice<UInt8>?) {
    let waiters = state.withLock { state in
      if let bytes { state.record += bytes } else { state.isClosed = true }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// All that was written so far.
  var record: String { String(decoding: state.withLock { $0.record }, as: UTF8.self) }

  /// Waits until `words` were written, after the place `from`; returns the place behind them.
  @discardableResult
  func expect(_ words: String, from: Int = 0) async throws -> Int {
    let pattern = Array(words.utf8)
    while true {
      let (end, isClosed) = state.withLock { state in
        (state.record[min(from, state.record.count)...].firstRange(of: pattern)?.upperBound, state.isClosed)
      }
      if let end { return end }
      if isClosed { throw Unavailable(call: "'\(words)' did not come in '\(record)'", number: 0) }
      await withTaskCancellationHandler {
        await withCheckedContinuation { waiter in
          // Looked at inside: what came in between has nobody to wake up.
          let isThere = state.withLock { state in
            let found = state.record[min(from, state.record.count)...].firstRange(of: pattern) != nil
            if !found, !state.isClosed { state.waiters.append(waiter) }
            return found || state.isClosed
          }
          if isThere { waiter.resume() }
        }
      } onCancel: {
        // The test's time is up.
        received(nil)
      }
    }
  }

  func type(_ text: String) { type(Array(text.utf8)) }

  func type(_ bytes: [UInt8]) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { write(master, $0.baseAddress.map { $0 + done }, $0.count - done) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      done += count
    }
  }

  /// Whether typed characters are shown and handed over by the line, as a shell leaves it.
  var hasLineMode: Bool {
    var modes = termios()
    guard tcgetattr(slave, &modes) == 0 else { return false }
    return modes.c_lflag & tcflag_t(ECHO | ICANON) == tcflag_t(ECHO | ICANON)
  }
}
