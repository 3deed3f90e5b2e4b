import Glibc

extension CompanionServices {
  /// The companion's condition, for the person at the workstation.
  func status(at address: String, since startedAt: Int, _ codex: CodexService) async -> ControlStatus {
    ControlStatus(
      addresses: ["https://\(SocketText.inURL(address)):\(place.port)"], codex: codex.condition,
      processID: Int(getpid()), startedAt: startedAt, deviceCount: devices.devices.count,
      pairingQuestionCount: await pairings.questions.count, waitingApprovalCount: await hub.openApprovals.count)
  }
}
