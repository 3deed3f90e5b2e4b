import ResolveKitCore
public import StreamTransport

/// A companion that this device is paired with.
public struct RemoteHost: Hashable, Sendable, CustomStringConvertible {
  /// The companion's address.
  public let origin: Origin
  /// SHA-256 of its certificate in 64 hexadecimal digits; nil where an authority vouches for it.
  public let fingerprint: String?
  /// The companion's name for this device.
  public let deviceID: String
  /// The tokens as of the pairing; those in use are in the ``RemoteHostStore``.
  package var credential: RemoteCredential

  package init(origin: Origin, fingerprint: String?, deviceID: String, credential: RemoteCredential) {
    self.origin = origin
    self.fingerprint = fingerprint
    self.deviceID = deviceID
    self.credential = credential
  }

  /// Host and port, as a person names it.
  public var name: String { origin.authority }

  public var description: String { name }
}

extension RemoteHost {
  init?(json members: JSONObject) {
    guard let scheme = members["scheme"]?.stringValue.flatMap({ Origin.Scheme(rawValue: $0) }),
      let host = members["host"]?.stringValue,
      (1...253).contains(host.utf8.count), let port = members["port"]?.integerValue, (1...65_535).contains(port),
      let deviceID = members["deviceId"]?.stringValue, let credential = RemoteCredential(json: members)
    else { return nil }
    let fingerprint = members["fingerprint"]?.stringValue
    if let fingerprint, TLSOptions.Trust(pinnedDigits: fingerprint) == nil { return nil }
    self.init(
      origin: Origin(scheme: scheme, host: host, port: port), fingerprint: fingerprint, deviceID: deviceID,
      credential: credential)
  }

  var json: JSONObject {
    var members = credential.json
    members["scheme"] = .string(origin.scheme.rawValue)
    members["host"] = .string(origin.host)
    members["port"] = .number(Double(origin.port))
    members["deviceId"] = .string(deviceID)
    members["fingerprint"] = fingerprint.map { .string($0) }
    return members
  }
}
