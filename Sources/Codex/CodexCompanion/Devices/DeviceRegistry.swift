package import JSONService
package import StreamTransport
import Synchronization

/// The devices that may control Codex, kept on disk: pairs, lets in, renews and revokes them.
///
/// Every change but the time of a device's last use is on the disk when a call returns.
package final class DeviceRegistry: Sendable {
  private let file: StoreFile
  private let now: @Sendable () -> Int
  private let random: RandomBytes
  private let roll: Mutex<PairedDevices>
  /// The roll on the disk; held while it is written, so that an older one never replaces a newer one.
  private let saved: Mutex<PairedDevices>
  private let revocations = Revocations()

  /// Takes the file at `path` for this process; it is made with the first device. Throws ``StoreError``.
  package init(
    path: String, disk: Disk = .system, random: RandomBytes = .system,
    now: @escaping @Sendable () -> Int = TimeOfDay.now
  ) throws(StoreError) {
    file = try StoreFile(claiming: path, format: "codex-companion-devices", disk: disk)
    var stored = PairedDevices()
    if let members = try file.read() {
      guard let roll = PairedDevices(members) else { throw file.damaged("its devices are incomplete") }
      stored = roll
    }
    roll = Mutex(stored)
    saved = Mutex(stored)
    self.random = random
    self.now = now
  }

  /// The devices, in the order in which they were paired.
  package var devices: [Device] { roll.withLock { $0.devices } }

  /// Pairs a device, and answers what it is to be given.
  ///
  /// A device that does not use its token within ten minutes has not received it, and is forgotten.
  package func pair(name: String, kind: DeviceGrant.Kind) throws(DeviceError) -> DeviceGrant {
    let grant = try change { roll throws(DeviceError) in
      try roll.add(name: name, kind: kind, random: random, now: now())
    }
    do {
      try save()
    } catch {
      roll.withLock { _ = $0.remove(grant.device.id) }
      throw error
    }
    return grant
  }

  /// The device of a request's `Authorization` field. Throws ``DeviceError`` with the text of the 401.
  package func authenticate(_ authorization: String?) throws(DeviceError) -> Device {
    try admit(authorization).device
  }

  /// The device of a request's `Authorization` field, and for how long its token lets it in. Throws ``DeviceError`` with
  /// the text of the 401.
  package func admit(_ authorization: String?) throws(DeviceError) -> DeviceAdmission {
    let token = try BearerToken(authorization: authorization)
    let use = try change { roll throws(DeviceError) in try roll.use(token, now: now()) }
    // So that a device is not forgotten as one that never received its token, and no former renewal token works again after
    // a restart. Without a disk it is still let in.
    if use.isReceipt { try? save() }
    return DeviceAdmission(device: use.device, expiresAt: use.expiresAt)
  }

  /// New tokens for a renewal token, which is void then.
  ///
  /// A device that did not receive the answer may ask again, and is given the same tokens, until it uses one of them. A
  /// renewal token that comes later revokes its device: then two have it. Throws ``DeviceError``. Requests are answered by
  /// ``DeviceRevocation/renew(_:)``.
  package func renew(_ renewalToken: String) throws(DeviceError) -> DeviceGrant {
    guard let token = BearerToken(renewalToken) else { throw .malformedToken }
    let renewal = try change { roll throws(DeviceError) in
      try roll.renew(with: token, random: random, now: now())
    }
    switch renewal {
    case .renewed(let grant):
      try save()
      return grant
    case .revoked(let device):
      revocations.revoke(device.id)
      // Where that fails, the device is revoked again by the next use of either token after a restart.
      try? save()
      throw .reusedToken(of: device)
    }
  }

  /// Shuts a device out: its tokens are void and its ``revocation(of:)`` ends, even where this throws because the disk
  /// does not take it, so that the device would be back after a restart. False where there is none of that id.
  @discardableResult
  package func revoke(_ id: Device.ID) throws(DeviceError) -> Bool {
    guard roll.withLock({ $0.remove(id) }) != nil else { return false }
    revocations.revoke(id)
    try save()
    return true
  }

  /// Ends, without an element, when the device is revoked; at once where it is already. Whatever a device has open ends
  /// with it.
  package func revocation(of id: Device.ID) -> AsyncStream<Never> {
    revocations.stream(of: id) { roll.withLock { $0.devices.contains { $0.id == id } } }
  }

  /// Brings the times of the last uses to disk. To be called now and then, and at the end.
  package func saveLastUses() throws(DeviceError) { try save() }

  private func change<Value: Sendable>(
    _ body: (inout PairedDevices) throws(DeviceError) -> Value
  ) throws(DeviceError) -> Value {
    try roll.withLock { roll throws(DeviceError) in try body(&roll) }
  }

  private func save() throws(DeviceError) {
    try saved.withLock { saved throws(DeviceError) in
      let current = roll.withLock { $0 }
      guard current != saved else { return }
      do throws(StoreError) {
        try file.write(current.members)
      } catch {
        throw DeviceError(.storage, "The devices could not be kept: \(error.message)", cause: error)
      }
      saved = current
    }
  }
}
