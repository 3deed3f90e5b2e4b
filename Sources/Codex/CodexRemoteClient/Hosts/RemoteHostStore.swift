import Foundation
import ResolveKitCore
public import StreamTransport

/// The companions that this device is paired with, in a file for its owner alone.
///
/// Programs that share the file share the tokens too: a renewal token works once, so the one that renews holds
/// the file's lock.
public struct RemoteHostStore: Sendable {
  /// The most companions that are kept.
  public static let limit = 64
  private static let maximumBytes = 1 << 20
  private static let format = "agent-stream remote hosts"
  private static let version = 1
  private static let lockPatience = Duration.seconds(30)

  private let folder: String
  private let path: String

  /// - Parameter folder: is made where it is missing, and closed to other users.
  public init(folder: String = RemoteHostStore.standardFolder) {
    self.folder = folder
    path = folder + "/hosts.json"
  }

  /// The companions, the one that was paired last first. Throws ``RemoteError`` with `storage`.
  public func hosts() throws(RemoteError) -> [RemoteHost] {
    // Of the link where the path is one.
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return [] }
    let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
    guard attributes[.type] as? FileAttributeType == .typeRegular, mode & 0o077 == 0 else {
      throw failure("is open to other users, or no file; look into it, then chmod 600 '\(path)'")
    }
    let document: JSONObject?
    do {
      document = try JSONValue(parsing: try PrivateFile.read(path, limit: Self.maximumBytes)).objectValue
    } catch {
      throw failure("cannot be understood: \(error)", error)
    }
    guard let document, document["format"]?.stringValue == Self.format,
      document["version"]?.integerValue == Self.version, let entries = document["hosts"]?.arrayValue
    else { throw failure("is of another format; move it away to start anew") }
    let hosts = entries.compactMap { $0.objectValue.flatMap(RemoteHost.init(json:)) }
    guard hosts.count == entries.count else { throw failure("names a host that cannot be understood") }
    return hosts
  }

  /// Keeps a companion, in the place of an earlier pairing with the same. Throws ``RemoteError``.
  public func keep(_ host: RemoteHost) async throws {
    try await locked {
      let others = try hosts().filter { $0.origin != host.origin }
      guard others.count < Self.limit else {
        throw RemoteError(.storage, "There are \(Self.limit) hosts already; remove one with 'remote hosts remove'.")
      }
      try write([host] + others)
    }
  }

  /// Forgets a companion; whether there was one. Throws ``RemoteError``.
  public func remove(_ origin: Origin) async throws -> Bool {
    try await locked {
      let known = try hosts()
      let others = known.filter { $0.origin != origin }
      if others.count < known.count { try write(others) }
      return others.count < known.count
    }
  }

  /// The tokens that are kept for a companion; nil where it was removed.
  func credential(of host: RemoteHost) throws(RemoteError) -> RemoteCredential? {
    try hosts().first { $0.origin == host.origin && $0.deviceID == host.deviceID }?.credential
  }

  /// Keeps new tokens. To be called with the lock held; a companion that was removed meanwhile stays so.
  func replace(_ credential: RemoteCredential, of host: RemoteHost) throws(RemoteError) {
    var hosts = try hosts()
    guard let index = hosts.firstIndex(where: { $0.origin == host.origin && $0.deviceID == host.deviceID }) else {
      return
    }
    hosts[index].credential = credential
    try write(hosts)
  }

  /// Runs `body` while no other process changes the file. Throws ``RemoteError``, and what `body` throws.
  nonisolated(nonsending) func locked<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { try PrivateFile.makeDirectory(folder) } catch { throw failure(error.description, error) }
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("cannot be locked: \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    let clock = ContinuousClock()
    let end = clock.now + Self.lockPatience
    // Not waited for in the call: its holder may wait for a network.
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard clock.now < end else { throw failure("is held by another program; end that one") }
      try await clock.sleep(for: .milliseconds(50))
    }
    // A process that is being started has a copy of the descriptor until its program runs, and would keep the lock.
    defer { flock(descriptor, LOCK_UN) }
    return try await body()
  }

  private func write(_ hosts: [RemoteHost]) throws(RemoteError) {
    let document: JSONValue = [
      "format": .string(Self.format), "version": .number(Double(Self.version)),
      "hosts": .array(hosts.map { .object($0.json) }),
    ]
    do {
      try PrivateFile.write(document.serialized() + Array("\n".utf8), to: path)
    } catch {
      throw failure(error.description, error)
    }
  }

  private func failure(_ what: String, _ cause: (any Error)? = nil) -> RemoteError {
    RemoteError(.storage, "The file of paired hosts '\(path)': \(what).", cause: cause)
  }
}
