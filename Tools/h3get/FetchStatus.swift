/// The outcome of a run: the program's exit codes, which its help lists.
enum FetchStatus: Int32, Sendable {
  case done = 0
  case failed = 1
  case usage = 2
  case noConnection = 3
  case certificateRejected = 4
  case truncatedStream = 5
  /// 128 + SIGINT, as shells report it.
  case interrupted = 130
}
