/// Why a workload or a client's plan cannot be run: which value, what it is, what it may be.
struct WorkloadError: Error, Hashable, CustomStringConvertible {
  var message: String

  init(_ message: String) {
    self.message = message
  }

  var description: String { message }
}
