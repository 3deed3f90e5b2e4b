package import ResolveKitCore

/// A line of the audit log: a yes or a no, and what else was decided about devices and decisions.
package struct AuditEntry: ControlRecord {
  package enum Event: String, Hashable, Sendable, CaseIterable {
    case approved
    case declined
    case approvedAutomatically = "approved_automatically"
    case declinedAutomatically = "declined_automatically"
    /// A decision was taken back.
    case decisionRevoked = "decision_revoked"
    /// A decision was turned into a no.
    case decisionDenied = "decision_denied"
    /// A person said no to a device that asked to be paired.
    case deviceDenied = "device_denied"
    case devicePaired = "device_paired"
    case deviceRevoked = "device_revoked"
    /// A folder is kept from devices.
    case projectHidden = "project_hidden"
    case projectShown = "project_shown"
  }

  /// The longest ``what``, in bytes of its JSON; what is longer is cut, with a mark.
  static let maximumWhat = 16 << 10

  /// The deepest ``what``. The line around it must stay shallow enough to be read: what is hidden from the log by its own
  /// depth was not logged.
  private static let maximumDepth = 32

  /// Milliseconds since 1970.
  package var time: Int
  package var event: Event
  /// The device that decided; nil for the companion itself and for the person at the workstation.
  package var deviceID: Device.ID?
  package var deviceName: String?
  package var chatID: String?
  /// The kind of the matter, such as `command`.
  package var kind: String?
  /// The matter itself; as a text of its JSON where that is long or deep.
  package var what: JSONValue
  /// The reason in a few words: the decision, or the rule.
  package var why: String

  package init(
    time: Int, event: Event, device: Device? = nil, chatID: String? = nil, kind: String? = nil, what: JSONValue,
    why: String
  ) {
    self.time = time
    self.event = event
    deviceID = device?.id
    deviceName = device?.name
    self.chatID = chatID
    self.kind = kind
    let isDeep = what.isNestedDeeper(than: Self.maximumDepth)
    self.what = (isDeep ? .string(what.jsonText) : what).cut(toBytes: Self.maximumWhat)
    self.why = why
  }

  package init(_ fields: ControlFields) throws(ControlError) {
    time = try fields.time("time")
    event = try fields.choice("event")
    deviceID = try fields.optionalText("deviceId")
    deviceName = try fields.optionalText("deviceName")
    chatID = try fields.optionalText("chatId")
    kind = try fields.optionalText("kind")
    what = try fields.value("what")
    why = try fields.text("why")
  }

  package var json: JSONValue {
    .record([
      "time": .time(time), "event": .string(event.rawValue), "deviceId": deviceID.map { .string($0) },
      "deviceName": deviceName.map { .string($0) }, "chatId": chatID.map { .string($0) },
      "kind": kind.map { .string($0) }, "what": what, "why": .string(why),
    ])
  }
}
