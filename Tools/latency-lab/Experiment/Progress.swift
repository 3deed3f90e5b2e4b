import Foundation
import Glibc

/// An experiment's progress on standard error: one line that is written over on a terminal, a line a run elsewhere.
struct Progress {
  private let total: Int
  private let isTerminal: Bool
  private let clock = ContinuousClock()
  private let begun: ContinuousClock.Instant
  private var shown: ContinuousClock.Instant
  private var done = 0

  init(total: Int) {
    self.total = total
    isTerminal = isatty(STDERR_FILENO) == 1
    begun = clock.now
    shown = begun
  }

  /// Reports that a run begins.
  func begin(_ text: String) {
    guard isTerminal else { return }
    write("\r\u{1b}[K[\(done + 1)/\(total)] \(text)\(timeLeft)")
  }

  /// Reports the outcome of the run.
  mutating func end(_ text: String) {
    done += 1
    write(isTerminal ? "\r\u{1b}[K" : "[\(done)/\(total)] \(text)\n")
  }

  /// One of many quick ones is done; shown ten times a second at most, and on a terminal alone.
  mutating func count(_ text: String) {
    done += 1
    guard isTerminal, clock.now - shown > .milliseconds(100) else { return }
    shown = clock.now
    write("\r\u{1b}[K[\(done)/\(total)] \(text)\(timeLeft)")
  }

  /// Takes the last line away.
  func finish() {
    if isTerminal { write("\r\u{1b}[K") }
  }

  /// A line that stays.
  func note(_ text: String) {
    write((isTerminal ? "\r\u{1b}[K" : "") + text + "\n")
  }

  private var timeLeft: String {
    guard done > 0 else { return "" }
    let left = (clock.now - begun) / done * (total - done)
    let seconds = Int(left / .seconds(1))
    return seconds < 90 ? ", \(seconds) s left" : ", \((seconds + 30) / 60) min left"
  }

  private func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
