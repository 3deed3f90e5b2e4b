import Glibc

/// The most memory that this process has had at once.
enum PeakMemory {
  static var kibibytes: Int {
    var usage = rusage()
    return getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 ? usage.ru_maxrss : 0
  }
}
