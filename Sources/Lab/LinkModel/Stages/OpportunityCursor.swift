/// Walks a trace of delivery opportunities, each of which carries 1 500 bytes of one or more packets and is lost if
/// nothing waits (Mahimahi's mm-link, NSDI 2015).
struct OpportunityCursor: Sendable {
  static let bytesPerOpportunity = 1500

  private let milliseconds: [Int]
  private let periodMilliseconds: Int64
  /// The next opportunity: how often the trace has begun again, and which line.
  private var round: Int64 = 0
  private var index = 0
  /// The rest of the current opportunity, in bytes.
  private var bytesLeft = Self.bytesPerOpportunity

  /// Nil for a trace without length.
  init?(milliseconds: [Int]) {
    guard let period = milliseconds.last, period > 0 else { return nil }
    self.milliseconds = milliseconds
    periodMilliseconds = Int64(period)
  }

  /// The first opportunity with room at or after a time, both in nanoseconds after the start.
  func next(from elapsed: Int64) -> Int64 {
    var copy = self
    copy.skip(to: elapsed)
    return copy.time
  }

  /// Sends a packet that arrived at a time; returns the time at which its last byte has left.
  mutating func take(_ size: Int, from elapsed: Int64) -> Int64 {
    skip(to: elapsed)
    var rest = size
    while rest > bytesLeft {
      rest -= bytesLeft
      moveOn()
    }
    bytesLeft -= rest
    return time
  }

  private var time: Int64 { (round * periodMilliseconds + Int64(milliseconds[index])) * 1_000_000 }

  private mutating func moveOn() {
    bytesLeft = Self.bytesPerOpportunity
    index += 1
    guard index == milliseconds.count else { return }
    index = 0
    round += 1
  }

  /// Passes over what is used up or over.
  private mutating func skip(to elapsed: Int64) {
    if bytesLeft == 0 { moveOn() }
    guard elapsed > time else { return }
    bytesLeft = Self.bytesPerOpportunity
    // Rounded up, for an opportunity earlier in the same millisecond is over.
    let wanted = (elapsed + 999_999) / 1_000_000
    // The time at which a round ends belongs to it; if the trace has a line at 0, the next round's comes after.
    round = (wanted - 1) / periodMilliseconds
    let within = wanted - round * periodMilliseconds
    var low = 0
    var high = milliseconds.count - 1
    while low < high {
      let middle = (low + high) / 2
      if Int64(milliseconds[middle]) < within { low = middle + 1 } else { high = middle }
    }
    index = low
  }
}
