import EventLedger

/// The probabilities, from 0 to 1, that events are lost, repeated or swapped on their way into a stream.
///
/// Whether an event is hit depends on the seed and its number alone: it is in every stream, and in the next run.
public struct StreamFaults: Equatable, Sendable {
  /// The event is in no stream; the history has what it said.
  public var drop: Double
  /// The event comes twice in a row.
  public var duplicate: Double
  /// The event comes after the one behind it, where both go out in one burst.
  public var reorder: Double
  /// The seed: the same one hits the same events.
  public var seed: UInt64

  /// Faults of these probabilities; by default none.
  public init(drop: Double = 0, duplicate: Double = 0, reorder: Double = 0, seed: UInt64 = 1) {
    self.drop = drop
    self.duplicate = duplicate
    self.reorder = reorder
    self.seed = seed
  }

  private enum Kind: UInt64 {
    case drop = 1
    case duplicate
    case reorder
  }

  /// The events as a stream carries them.
  func apply(_ events: [LedgerEvent]) -> [LedgerEvent] {
    guard drop > 0 || duplicate > 0 || reorder > 0 else { return events }
    var sent: [LedgerEvent] = []
    var heldBack: LedgerEvent?
    for event in events where !happens(.drop, drop, event.sequence) {
      if heldBack == nil, happens(.reorder, reorder, event.sequence) {
        heldBack = event
        continue
      }
      sent.append(event)
      if happens(.duplicate, duplicate, event.sequence) { sent.append(event) }
      if let held = heldBack { sent.append(held) }
      heldBack = nil
    }
    if let held = heldBack { sent.append(held) }
    return sent
  }

  private func happens(_ kind: Kind, _ probability: Double, _ number: Int64) -> Bool {
    guard probability > 0 else { return false }
    // SplitMix64: neighbouring numbers give unrelated draws.
    var z = seed &+ UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15 &+ kind.rawValue &* 0xD1B5_4A32_D192_ED03
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    z ^= z >> 31
    return Double(z >> 11) / Double(1 << 53) < probability
  }
}
