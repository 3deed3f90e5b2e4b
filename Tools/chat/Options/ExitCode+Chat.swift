import ArgumentParser
import ResolveKitTerminal
import ResolveKitUI

extension ExitCode {
  static let turnFailed = ExitCode(1)
  static let usage = ExitCode(2)
  static let cannotConnect = ExitCode(3)
  static let notAuthorised = ExitCode(4)
  /// 128 + SIGINT, as shells report it.
  static let interrupted = ExitCode(130)

  init(_ ending: ResolveKitTerminalEnding) {
    switch ending {
    case .done: self = .success
    case .turnFailed: self = .turnFailed
    case .misconfigured: self = .usage
    case .cannotConnect: self = .cannotConnect
    case .blocked: self = .notAuthorised
    case .interrupted: self = .interrupted
    }
  }
}
