import ArgumentParser
import CodexWorkersClient
import Foundation

/// The exit codes of `remote workers`, and the form of a failure.
enum WorkersExit {
  static let codexRefused = ExitCode(10)
  static let noDevice = ExitCode(11)

  static func code(_ code: WorkersError.Code) -> ExitCode {
    switch code {
    case .unavailable, .unreachable, .timedOut: ExitCode(3)
    case .signInNeeded, .forbidden: ExitCode(4)
    case .notFound: ExitCode(5)
    case .conflict: ExitCode(6)
    case .invalid: ExitCode(7)
    case .throttled: ExitCode(8)
    case .staleCursor, .unreadable: ExitCode(1)
    }
  }

  /// Reports an error of the API as a sentence on standard error, with the request's id, and gives it its exit code.
  static func judge(_ result: Result<Void, any Error>, server: String) throws {
    do {
      try result.get()
    } catch let error as WorkersError {
      say(sentence(error, server: server))
      throw code(error.code)
    } catch let error as WorkersCredentialFile.Failure {
      say(error.description)
      throw ExitCode.failure
    }
  }

  static func sentence(_ error: WorkersError, server: String) -> String {
    let remedy = error.code == .signInNeeded ? " Run: remote workers login \(server)" : ""
    return error.message + remedy + (error.requestID.map { " [x-request-id \($0)]" } ?? "")
  }

  /// Writes a line to standard error.
  static func say(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}
