import Foundation
package import Logging

/// The log on standard error, written so that it does not tear a line that is being typed.
package struct TerminalLog: LogHandler {
  package let label: String
  package var logLevel: Logger.Level
  package var metadata: Logger.Metadata = [:]
  private let input: any LineInput

  package init(label: String, level: Logger.Level, input: any LineInput) {
    self.label = label
    self.logLevel = level
    self.input = input
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
    let values = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    input.write(.status(TerminalText.line("\(time) \(event.level) \(label):\(values) \(event.message)") + "\n"))
  }
}
