import Foundation
import Logging
import ResolveKitTerminal
import ResolveKitUI

/// The log on standard error, written so that it does not tear a line that is being typed.
struct TerminalLog: LogHandler {
  let label: String
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  private let input: any LineInput

  init(label: String, level: Logger.Level, input: any LineInput) {
    self.label = label
    self.logLevel = level
    self.input = input
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
    let values = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    input.write(.status(TerminalText.line("\(time) \(event.level) \(label):\(values) \(event.message)") + "\n"))
  }
}
