import Glibc

/// A pipe whose ends no program inherits that is started later.
struct DescriptorPipe {
  let reading: CInt
  let writing: CInt

  init() throws(AppServerError) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw AppServerError(
        .startFailed, "No pipe to codex can be made (\(String(cString: strerror(errno)))); close what else is open.")
    }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  func closeBoth() {
    close(reading)
    close(writing)
  }
}
