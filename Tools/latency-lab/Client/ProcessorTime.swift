import Glibc

/// The processor time that this process has used.
enum ProcessorTime {
  /// User and system time of all threads and of children that have ended, in seconds.
  static var seconds: Double {
    [RUSAGE_SELF, RUSAGE_CHILDREN].reduce(0) { sum, who in
      var usage = rusage()
      guard getrusage(who.rawValue, &usage) == 0 else { return sum }
      return sum + seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
