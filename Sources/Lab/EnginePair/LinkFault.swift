import LinkModel

/// A fault that a link applies to datagrams, besides delivering them late.
package enum LinkFault: String, CaseIterable, Sendable {
  case loss, reordering, duplication, corruption, tooLarge, outage
  /// A NAT gave the client another address, and dropped what came for the old one.
  case rebinding, oldBinding

  init?(_ cause: PacketLogEntry.Cause) {
    switch cause {
    case .loss, .weather, .delayStep, .dropList, .udpBlocked, .udpRate, .queueFull: self = .loss
    case .outage: self = .outage
    case .tooLarge: self = .tooLarge
    case .oldBinding: self = .oldBinding
    case .corrupted: self = .corruption
    case .duplicated: self = .duplication
    case .none, .early, .unreadable: return nil
    }
  }
}
