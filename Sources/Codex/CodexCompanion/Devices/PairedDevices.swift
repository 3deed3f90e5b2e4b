import JSONService
import ResolveKitCore

/// The devices that may control Codex: takes the time, and returns the owner of a token.
struct PairedDevices: Hashable, Sendable {
  /// More are refused.
  static let maximumDevices = 32
  /// A device that did not use its token for so long after it was issued, in milliseconds, has not received it.
  static let claimTime = 10 * 60 * 1_000

  struct Use: Sendable {
    let device: Device
    /// The time at which the token expires, in milliseconds since 1970; nil for never.
    let expiresAt: Int?
    /// Whether the roll knows now that the device has received its tokens, which must not be forgotten.
    let isReceipt: Bool
  }

  private struct Entry: Hashable, Sendable {
    var device: Device
    var credential: DeviceCredential

    func isUnclaimed(now: Int) -> Bool {
      device.lastUsedAt == nil && now - device.pairedAt > PairedDevices.claimTime
    }
  }

  private var entries: [Entry] = []

  init() {}

  /// The devices, in the order in which they were paired.
  var devices: [Device] { entries.map(\.device) }

  mutating func add(
    name: String, kind: DeviceGrant.Kind, random: RandomBytes, now: Int
  ) throws(DeviceError) -> DeviceGrant {
    entries.removeAll { $0.isUnclaimed(now: now) }
    guard entries.count < Self.maximumDevices else {
      throw DeviceError(
        .full,
        "There are \(Self.maximumDevices) devices, more are not kept; revoke one with 'companion devices revoke'.")
    }
    let device = Device(id: random.uuid(), name: name, pairedAt: now)
    switch kind {
    case .permanent:
      let token = BearerToken(random: random)
      entries.append(Entry(device: device, credential: .permanent(TokenDigest(of: token))))
      return DeviceGrant(device: device, token: token.text, renewal: nil)
    case .renewable:
      let (credential, tokens) = RenewableCredential.make(random: random, now: now)
      entries.append(Entry(device: device, credential: .renewable(credential)))
      return DeviceGrant(device: device, tokens)
    }
  }

  /// The owner of a token. All devices are compared, so that the time reveals nothing.
  mutating func use(_ token: BearerToken, now: Int) throws(DeviceError) -> Use {
    var found: (index: Int, match: RenewableCredential.Match, isReceipt: Bool)?
    for index in entries.indices {
      let credential = entries[index].credential
      let match = entries[index].credential.use(token, now: now)
      guard match != .none, !entries[index].isUnclaimed(now: now) else { continue }
      found = (index, match, entries[index].device.lastUsedAt == nil || entries[index].credential != credential)
    }
    guard let found else { throw .unknownToken }
    guard case .valid(let expiresAt) = found.match else { throw .expiredToken }
    return Use(device: noteUse(at: found.index, now: now), expiresAt: expiresAt, isReceipt: found.isReceipt)
  }

  /// New tokens for a renewal token. A device whose token comes a second time is off the roll then.
  mutating func renew(
    with token: BearerToken, random: RandomBytes, now: Int
  ) throws(DeviceError) -> Renewal {
    let salt = random.make(BearerToken.byteCount)
    for index in entries.indices where !entries[index].isUnclaimed(now: now) {
      switch entries[index].credential.renew(with: token, salt: salt, now: now) {
      case .foreign: continue
      case .reused: return .revoked(entries.remove(at: index).device)
      case .renewed(let tokens): return .renewed(DeviceGrant(device: noteUse(at: index, now: now), tokens))
      }
    }
    throw .unknownToken
  }

  enum Renewal: Sendable {
    case renewed(DeviceGrant)
    /// The token came a second time.
    case revoked(Device)
  }

  /// The device that was on the roll, nil where there is none of that id.
  mutating func remove(_ id: Device.ID) -> Device? {
    guard let index = entries.firstIndex(where: { $0.device.id == id }) else { return nil }
    return entries.remove(at: index).device
  }

  private mutating func noteUse(at index: Int, now: Int) -> Device {
    entries[index].device.lastUsedAt = max(now, entries[index].device.lastUsedAt ?? now)
    return entries[index].device
  }

  // MARK: The file

  /// nil for what no roll has written: a device that is half understood must not be let in, nor be forgotten.
  init?(_ members: JSONObject) {
    guard let values = members["devices"]?.arrayValue, values.count <= Self.maximumDevices else { return nil }
    for value in values {
      guard let fields = try? ControlFields(value, of: "A device"), let device = try? Device(fields),
        let credential = DeviceCredential(value.objectValue?["credential"]),
        !entries.contains(where: { $0.device.id == device.id })
      else { return nil }
      entries.append(Entry(device: device, credential: credential))
    }
  }

  var members: JSONObject {
    let devices = entries.map { entry in
      JSONValue.object((entry.device.json.objectValue ?? [:]).merging(["credential": entry.credential.json]) { $1 })
    }
    return ["devices": .array(devices)]
  }
}

extension DeviceGrant {
  init(device: Device, _ tokens: RenewableCredential.Tokens) {
    self.init(
      device: device, token: tokens.access.text,
      renewal: Renewal(token: tokens.renewal.text, expiresAt: tokens.expiresAt))
  }
}
