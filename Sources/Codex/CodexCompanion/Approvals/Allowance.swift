package import ResolveKitCore

/// A decision that is kept until it is revoked.
package struct Allowance: ControlRecord {
  package enum Verdict: String, Hashable, Sendable {
    case allow
    case deny
  }

  /// The id of its scope.
  package let id: String
  package let kind: AllowanceScope.Kind
  /// The matter that is allowed or denied, such as `the tool "poke" of the MCP server "tiny"`.
  package let summary: String
  package internal(set) var verdict: Verdict
  /// Milliseconds since 1970.
  package let decidedAt: Int
  package let deviceID: Device.ID?
  package let deviceName: String?

  init(_ scope: AllowanceScope, _ verdict: Verdict, at time: Int, by device: Device?) {
    id = scope.id
    kind = scope.kind
    summary = scope.summary
    self.verdict = verdict
    decidedAt = time
    deviceID = device?.id
    deviceName = device?.name
  }

  package init(_ fields: ControlFields) throws(ControlError) {
    id = try fields.id("approvalId")
    kind = try fields.choice("kind")
    summary = try fields.text("summary")
    verdict = try fields.choice("verdict")
    decidedAt = try fields.time("decidedAt")
    deviceID = try fields.optionalText("deviceId", limit: ControlFields.maximumID)
    deviceName = try fields.optionalText("deviceName")
  }

  package var json: JSONValue {
    .record([
      "approvalId": .string(id), "kind": .string(kind.rawValue), "summary": .string(summary),
      "verdict": .string(verdict.rawValue), "decidedAt": .time(decidedAt), "deviceId": deviceID.map { .string($0) },
      "deviceName": deviceName.map { .string($0) },
    ])
  }
}
