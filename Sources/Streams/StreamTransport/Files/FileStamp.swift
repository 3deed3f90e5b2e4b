// The module in which the compiler finds `stat`, beside the C headers that this target imports.
import CoreFoundation
import Glibc

/// What tells a file from the one that was there before: another file in its place, or other bytes in the same one.
enum FileStamp: Equatable {
  case missing
  /// A pipe or a device, which does not change by its times.
  case special
  case regular(device: UInt64, number: UInt64, size: Int64, modified: Time, changed: Time)

  struct Time: Equatable {
    private let seconds: Int
    private let nanoseconds: Int

    init(_ time: timespec) {
      seconds = time.tv_sec
      nanoseconds = time.tv_nsec
    }
  }

  /// Looks through symbolic links.
  init(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = .missing
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      self = .special
      return
    }
    self = .regular(
      device: UInt64(status.st_dev), number: UInt64(status.st_ino), size: Int64(status.st_size),
      modified: Time(status.st_mtim), changed: Time(status.st_ctim))
  }
}
