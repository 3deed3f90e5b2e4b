import ArgumentParser

/// The reason for which the program ends before it connects.
struct ChatFailure: Error, Equatable {
  var code: ExitCode
  var message: String
}
