package import ResolveKitCore

/// The companion's answer to a ``ControlCommand``.
///
/// On the socket it is one line of JSON: `{"reply":"devices","devices":[…]}`.
package enum ControlReply: Hashable, Sendable {
  /// The command is done, and there is nothing to show.
  case done
  case pairing(ControlPairing)
  case pairings([ControlPairingQuestion])
  case devices([Device])
  case approvals([Allowance])
  /// The newest entry first.
  case audit([AuditEntry])
  case status(ControlStatus)
  case projects([ControlProject])
  case refused(ControlRefusal)

  /// Reads a line without its end; throws ``ControlError`` for whatever is no reply. No input traps.
  package init(line: [UInt8]) throws(ControlError) {
    let fields = try ControlFields(JSONValue(controlLine: line), of: "A reply")
    let name = try fields.text("reply")
    switch name {
    case "done": self = .done
    case "pairing": self = .pairing(try ControlPairing(fields.object("pairing")))
    case "pairings": self = .pairings(try fields.records("pairings"))
    case "devices": self = .devices(try fields.records("devices"))
    case "approvals": self = .approvals(try fields.records("approvals"))
    case "audit": self = .audit(try fields.records("audit"))
    case "status": self = .status(try ControlStatus(fields.object("status")))
    case "projects": self = .projects(try fields.records("projects"))
    case "refused": self = .refused(try ControlRefusal(fields.object("refused")))
    default:
      throw ControlError(
        .invalid, "The companion gave a reply that this program doesn't know: \(ControlFields.shown(name)).")
    }
  }

  /// The reply as a line, with its end. What is longer than a reader takes becomes a refusal that says so.
  package func line(limit: Int) -> [UInt8] {
    let bytes = json.serialized()
    let end = Array("\n".utf8)
    guard bytes.count > limit else { return bytes + end }
    let refusal = ControlRefusal(.tooLong, "The reply has more than \(limit) bytes; ask for fewer entries.")
    return ControlReply.refused(refusal).json.serialized() + end
  }

  private var json: JSONValue {
    switch self {
    case .done: ["reply": "done"]
    case .pairing(let pairing): ["reply": "pairing", "pairing": pairing.json]
    case .pairings(let questions): Self.list("pairings", questions)
    case .devices(let devices): Self.list("devices", devices)
    case .approvals(let approvals): Self.list("approvals", approvals)
    case .audit(let entries): Self.list("audit", entries)
    case .status(let status): ["reply": "status", "status": status.json]
    case .projects(let projects): Self.list("projects", projects)
    case .refused(let refusal): ["reply": "refused", "refused": refusal.json]
    }
  }

  private static func list(_ name: String, _ records: [some ControlRecord]) -> JSONValue {
    .object(["reply": .string(name), name: .array(records.map(\.json))])
  }
}
