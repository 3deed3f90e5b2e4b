import LinkModel

/// The reason for which the link dropped a packet, in words.
enum CauseText {
  static func name(_ rawValue: String) -> String {
    PacketLogEntry.Cause(rawValue: rawValue).map(name) ?? rawValue
  }

  static func name(_ cause: PacketLogEntry.Cause) -> String {
    switch cause {
    case .none: "none"
    case .outage: "outage"
    case .udpBlocked: "UDP blocked"
    case .tooLarge: "too large"
    case .dropList: "drop list"
    case .loss: "loss"
    case .weather: "bad weather"
    case .delayStep: "delay step"
    case .udpRate: "UDP rate"
    case .queueFull: "queue full"
    case .oldBinding: "old NAT binding"
    case .corrupted: "corrupted"
    case .duplicated: "duplicated"
    case .early: "early"
    case .unreadable: "unreadable"
    }
  }
}
