import ArgumentParser

/// Why the program ends before it talks to anybody.
struct ChatFailure: Error, Equatable {
  var code: ExitCode
  var message: String
}
