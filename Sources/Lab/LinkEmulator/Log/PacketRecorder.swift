package import LinkModel

/// Collects what the model decided and when packets really left; owned by the link's loop.
package struct PacketRecorder {
  /// The entries of one packet that have not left yet.
  private struct Pending {
    var first: Int
    var count: Int
    var onLink: Int
  }

  private let limit: Int
  private let sampler: TCPSampler?
  package private(set) var entries = ChunkedList<PacketLogEntry>()
  /// Entries that the limit kept out.
  package private(set) var unloggedCount = 0
  private var pending: [Int: Pending] = [:]
  package private(set) var capture: PacketCapture?

  /// - Parameter sampler: learns of the server's connections; nil: nobody.
  package init(limit: Int, capture: PacketCapture?, sampler: TCPSampler? = nil) {
    self.limit = limit
    self.sampler = sampler
    self.capture = capture
    pending.reserveCapacity(1_024)
  }

  /// A packet entered the link with these results.
  package mutating func entered(_ results: [PacketLogEntry], bytes: [UInt8]) {
    guard let main = results.first else { return }
    capture?.append(
      bytes, side: LinkSide(receiving: main.direction).other, isReceived: false, at: main.entered, main.verdict,
      main.cause)
    guard unloggedCount == 0, entries.count + results.count <= limit else {
      unloggedCount += results.count
      return
    }
    var open = Pending(first: entries.count, count: results.count, onLink: 0)
    for entry in results {
      entries.append(entry)
      if entry.due != nil { open.onLink += 1 }
    }
    if open.onLink > 0 { pending[main.number] = open }
  }

  /// A packet, or its duplicate, was given to the receiver.
  package mutating func left(number: Int, due: Int64, direction: LinkDirection, bytes: [UInt8], at now: Int64) {
    if direction == .toServer { sampler?.delivered(bytes) }
    var cause = PacketLogEntry.Cause.none
    if var open = pending[number] {
      let indices = open.first..<open.first + open.count
      if let index = indices.first(where: { entries[$0].due == due && entries[$0].left == nil }) {
        entries[index].left = now
        cause = entries[index].cause
        open.onLink -= 1
        pending[number] = open.onLink > 0 ? open : nil
      }
    }
    capture?.append(
      bytes, side: LinkSide(receiving: direction), isReceived: true, at: now, .delivered, cause)
  }

  /// Everything in one list; what has not left is unfinished.
  package func finished() -> [PacketLogEntry] {
    var all = entries.joined()
    for index in all.indices where all[index].due != nil && all[index].left == nil {
      all[index].verdict = .unfinished
    }
    return all
  }
}
