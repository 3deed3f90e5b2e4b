import Glibc

/// Nanoseconds of a clock that all processes of the machine share.
enum LedgerMoment {
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// A payload of 200 bytes that begins with the moment.
  static var payload: [UInt8] {
    let text = Array("\(now) ".utf8)
    return text + Array(repeating: 0x2E, count: max(0, 200 - text.count))
  }
}
