import CTerminal
import Dispatch
import Foundation

/// Ctrl-C, Ctrl-Z and new window sizes as a sequence; one reader for the process.
///
/// A handler writes the signal's number to a pipe, and nothing else runs in it.
package enum TerminalSignal: Int32, Sendable {
  case interrupt = 2
  case resize = 28
  case stop = 20
  case resume = 18

  /// Stops the process as Ctrl-Z does to others; returns once it continues, at once where nobody could continue it.
  package static func stopProcess() { cterminal_stop() }

  /// Begins to take them; nil where that was done before.
  package static func arrivals() -> AsyncStream<TerminalSignal>? {
    let numbers = [SIGINT, SIGWINCH, SIGTSTP, SIGCONT]
    let pipe = cterminal_forward_signals(numbers, numbers.count)
    guard pipe >= 0 else { return nil }
    return AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
      let source = DispatchSource.makeReadSource(fileDescriptor: pipe, queue: DispatchQueue(label: "chat.signals"))
      // Sendable, lest the closure count as the main actor's: the queue's thread runs it.
      let report: @Sendable () -> Void = {
        var number: UInt8 = 0
        while read(pipe, &number, 1) == 1 {
          if let signal = TerminalSignal(rawValue: Int32(number)) { continuation.yield(signal) }
        }
      }
      source.setEventHandler(handler: report)
      source.activate()
      // Proof: a source may be cancelled on any thread.
      nonisolated(unsafe) let ended = source
      continuation.onTermination = { _ in ended.cancel() }
    }
  }
}
