/// An invalid workload or client's plan: the path, the value and its valid range.
struct WorkloadError: Error, Hashable, CustomStringConvertible {
  var message: String

  init(_ message: String) {
    self.message = message
  }

  var description: String { message }
}
