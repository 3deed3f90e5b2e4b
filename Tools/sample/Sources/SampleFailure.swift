import ArgumentParser

/// The reason for which the program ends.
struct SampleFailure: Error {
  let code: ExitCode
  let message: String

  static func usage(_ message: String) -> SampleFailure { SampleFailure(code: ExitCode(2), message: message) }
  static func cannotConnect(_ message: String) -> SampleFailure { SampleFailure(code: ExitCode(3), message: message) }
  static func blocked(_ message: String) -> SampleFailure { SampleFailure(code: ExitCode(4), message: message) }
}
