package import ResolveKitCore

/// The companion's condition.
package struct ControlStatus: Hashable, Sendable {
  /// The URLs at which it serves.
  package var addresses: [String]
  /// A sentence about Codex, such as `codex 0.163.0 is running`.
  package var codex: String
  package var processID: Int
  /// Milliseconds since 1970.
  package var startedAt: Int
  package var deviceCount: Int
  /// Devices that wait for a person's yes or no.
  package var pairingQuestionCount: Int
  /// Commands, file changes and tools that wait for a person's decision.
  package var waitingApprovalCount: Int

  package init(
    addresses: [String], codex: String, processID: Int, startedAt: Int, deviceCount: Int = 0,
    pairingQuestionCount: Int = 0, waitingApprovalCount: Int = 0
  ) {
    self.addresses = addresses
    self.codex = codex
    self.processID = processID
    self.startedAt = startedAt
    self.deviceCount = deviceCount
    self.pairingQuestionCount = pairingQuestionCount
    self.waitingApprovalCount = waitingApprovalCount
  }

  init(_ fields: ControlFields) throws(ControlError) {
    let counts = 0...1_000_000
    addresses = try fields.texts("addresses", limit: 64)
    codex = try fields.text("codex")
    processID = try fields.integer("processId", in: 0...Int(Int32.max))
    startedAt = try fields.time("startedAt")
    deviceCount = try fields.integer("devices", in: counts)
    pairingQuestionCount = try fields.integer("pairingQuestions", in: counts)
    waitingApprovalCount = try fields.integer("waitingApprovals", in: counts)
  }

  var json: JSONValue {
    [
      "addresses": .array(addresses.map { .string($0) }), "codex": .string(codex),
      "processId": .number(Double(processID)), "startedAt": .time(startedAt),
      "devices": .number(Double(deviceCount)), "pairingQuestions": .number(Double(pairingQuestionCount)),
      "waitingApprovals": .number(Double(waitingApprovalCount)),
    ]
  }
}
