import ResolveKitCore

/// A command of the person at the workstation to the companion that runs there.
///
/// On the socket it is one line of JSON: `{"command":"revoke_device","deviceId":"…"}`.
package enum ControlCommand: Hashable, Sendable {
  /// Opens a pairing for a client of a kind.
  case pair(PairingClient)
  /// The devices that wait for a yes or no.
  case pairings
  case confirm(pairingID: String, allow: Bool)
  case devices
  case revokeDevice(deviceID: String)
  /// The decisions that are kept.
  case approvals
  case revokeApproval(approvalID: String)
  /// Turns a decision into a no.
  case denyApproval(approvalID: String)
  /// The newest entries of the audit log.
  case audit(limit: Int)
  /// The companion's condition.
  case status
  /// The folders that codex has worked in, and those that are hidden.
  case projects
  /// Keeps a folder, and all that is in it, from devices.
  case hideProject(folder: String)
  case showProject(folder: String)

  /// The most entries of the audit log that may be asked for.
  package static let auditLimits = 1...AuditEntry.maximumCount

  /// Reads a line without its end; throws ``ControlError`` for whatever is no command. No input traps.
  package init(line: [UInt8]) throws(ControlError) {
    let fields = try ControlFields(JSONValue(controlLine: line), of: "A command")
    let name = try fields.text("command")
    let others: Set<String>
    switch name {
    case "pair": (self, others) = (.pair(try fields.choice("client")), ["client"])
    case "pairings": (self, others) = (.pairings, [])
    case "confirm":
      self = .confirm(pairingID: try fields.id("pairingId"), allow: try fields.flag("allow"))
      others = ["pairingId", "allow"]
    case "devices": (self, others) = (.devices, [])
    case "revoke_device": (self, others) = (.revokeDevice(deviceID: try fields.id("deviceId")), ["deviceId"])
    case "approvals": (self, others) = (.approvals, [])
    case "revoke_approval":
      (self, others) = (.revokeApproval(approvalID: try fields.id("approvalId")), ["approvalId"])
    case "deny_approval": (self, others) = (.denyApproval(approvalID: try fields.id("approvalId")), ["approvalId"])
    case "audit": (self, others) = (.audit(limit: try fields.integer("limit", in: Self.auditLimits)), ["limit"])
    case "status": (self, others) = (.status, [])
    case "projects": (self, others) = (.projects, [])
    case "hide_project": (self, others) = (.hideProject(folder: try fields.text("folder")), ["folder"])
    case "show_project": (self, others) = (.showProject(folder: try fields.text("folder")), ["folder"])
    default:
      throw ControlError(
        .invalid,
        "The companion doesn't know the command \(ControlFields.shown(name)); it may be older than the program that sent it: "
          + "restart it.")
    }
    try fields.forbidOthers(than: others.union(["command"]))
  }

  /// The command as a line, with its end.
  package var line: [UInt8] { json.serialized() + Array("\n".utf8) }

  private var json: JSONValue {
    switch self {
    case .pair(let client): ["command": "pair", "client": .string(client.rawValue)]
    case .pairings: ["command": "pairings"]
    case .confirm(let pairingID, let allow):
      ["command": "confirm", "pairingId": .string(pairingID), "allow": .bool(allow)]
    case .devices: ["command": "devices"]
    case .revokeDevice(let deviceID): ["command": "revoke_device", "deviceId": .string(deviceID)]
    case .approvals: ["command": "approvals"]
    case .revokeApproval(let approvalID): ["command": "revoke_approval", "approvalId": .string(approvalID)]
    case .denyApproval(let approvalID): ["command": "deny_approval", "approvalId": .string(approvalID)]
    case .audit(let limit): ["command": "audit", "limit": .number(Double(limit))]
    case .status: ["command": "status"]
    case .projects: ["command": "projects"]
    case .hideProject(let folder): ["command": "hide_project", "folder": .string(folder)]
    case .showProject(let folder): ["command": "show_project", "folder": .string(folder)]
    }
  }
}

extension JSONValue {
  init(controlLine line: [UInt8]) throws(ControlError) {
    do {
      self = try JSONValue(parsing: line)
    } catch {
      throw ControlError(.invalid, "A line on the control socket is no JSON: \(error).", cause: error)
    }
  }
}
