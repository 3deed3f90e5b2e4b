#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The simplest loop that finds a stream's lines: what a parser that did nothing but look for LF would cost.
enum MemchrScan {
  /// The number of line feeds.
  static func lineFeeds(in bytes: UnsafeRawBufferPointer) -> Int {
    guard var position = bytes.baseAddress else { return 0 }
    let end = position + bytes.count
    var count = 0
    while let found = memchr(position, 0x0A, end - position) {
      count += 1
      position = UnsafeRawPointer(found) + 1
    }
    return count
  }
}
