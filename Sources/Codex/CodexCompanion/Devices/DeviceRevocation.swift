/// Shuts a device out with all that it left behind: its tokens, its streams, and what it allowed permanently.
package struct DeviceRevocation: Sendable {
  private let devices: DeviceRegistry
  private let approvals: Approvals
  private let audit: AuditLog
  private let now: @Sendable () -> Int

  package init(
    devices: DeviceRegistry, approvals: Approvals, audit: AuditLog, now: @escaping @Sendable () -> Int = TimeOfDay.now
  ) {
    self.devices = devices
    self.approvals = approvals
    self.audit = audit
    self.now = now
  }

  /// Revokes a device; false where there is none of that id. What can be done is done even where this throws:
  /// ``DeviceError`` or ``ApprovalError``.
  ///
  /// - Parameter device: who asked for it; nil for the person at the workstation.
  package func revoke(_ id: Device.ID, by device: Device?) throws -> Bool {
    guard let revoked = devices.devices.first(where: { $0.id == id }) else { return false }
    let result = Result { try devices.revoke(id) }
    let forgetting = Result { try approvals.forget(device: id) }
    try? audit.append(
      AuditEntry(
        time: now(), event: .deviceRevoked, device: device, what: revoked.json,
        why: device == nil ? "by the person at the workstation" : "by a device"))
    try forgetting.get()
    return try result.get()
  }

  /// New tokens for a renewal token; a device whose token is in two hands leaves nothing behind. Throws ``DeviceError``.
  package func renew(_ renewalToken: String) throws(DeviceError) -> DeviceGrant {
    do throws(DeviceError) {
      return try devices.renew(renewalToken)
    } catch {
      if let device = error.revoked {
        try? approvals.forget(device: device.id)
        try? audit.append(
          AuditEntry(time: now(), event: .deviceRevoked, what: device.json, why: "its renewal token came a second time")
        )
      }
      throw error
    }
  }
}
