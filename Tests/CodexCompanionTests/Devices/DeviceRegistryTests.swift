import Glibc
import ResolveKitCore
import StreamTransport
import Synchronization
import Testing

@testable import CodexCompanion

@Suite(.timeLimit(.minutes(10))) struct DeviceRegistryTests {
  private let folder: TemporaryFolder
  private let time = ManualTime()

  init() throws { folder = try TemporaryFolder() }

  private func open(disk: Disk = .system) throws(StoreError) -> DeviceRegistry {
    try DeviceRegistry(path: folder.file("devices.json"), disk: disk, now: { [time] in time.now })
  }

  private func code(_ body: () throws -> Void) throws -> DeviceError.Code {
    try #require(throws: DeviceError.self) { try body() }.code
  }

  @Test func aDeviceIsKnownByItsTokenAfterARestartToo() throws {
    var grant: DeviceGrant?
    do {
      let registry = try open()
      grant = try registry.pair(name: "Ana's phone\u{202E}", kind: .permanent)
      let token = try #require(grant?.token)
      #expect(token.wholeMatch(of: /[0-9a-f]{64}/) != nil)
      #expect(try registry.authenticate("Bearer \(token)").id == grant?.device.id)
    }
    let token = try #require(grant?.token)
    let text = try folder.text("devices.json")
    #expect(!text.contains(token))
    #expect(try folder.mode("devices.json") == 0o600)
    time.advance(by: 1_000_000_000_000)
    let registry = try open()
    let device = try registry.authenticate("Bearer \(token)")
    #expect(device.name == "Ana's phone\\u202e")
    #expect(device.lastUsedAt == time.now)
    #expect(registry.devices == [device])
  }

  @Test func othersLearnWhatIsWrong() throws {
    let registry = try open()
    _ = try registry.pair(name: "phone", kind: .permanent)
    let wrong = "Bearer \(String(repeating: "0", count: 64))"
    for (field, message) in [
      (nil, "Missing bearer token"), ("Bearer x", "Invalid bearer token"), (wrong, "Invalid token"),
    ] {
      let error = try #require(throws: DeviceError.self) { try registry.authenticate(field) }
      #expect(error.message == message)
      #expect(error.isUnauthorized)
    }
  }

  @Test func aRevokedDeviceIsShutOutAndItsStreamsEnd() async throws {
    let registry = try open()
    let grant = try registry.pair(name: "phone", kind: .permanent)
    let other = try registry.pair(name: "laptop", kind: .permanent)
    let before = registry.revocation(of: grant.device.id)
    #expect(try registry.revoke(grant.device.id))
    #expect(try !registry.revoke(grant.device.id))
    for await _ in before {}
    for await _ in registry.revocation(of: grant.device.id) {}
    #expect(try code { _ = try registry.authenticate("Bearer \(grant.token)") } == .unknownToken)
    #expect(try registry.authenticate("Bearer \(other.token)").id == other.device.id)
    #expect(try !folder.text("devices.json").contains(grant.device.id))
  }

  @Test func aStreamOfAnotherDeviceContinues() async throws {
    let registry = try open()
    let grant = try registry.pair(name: "phone", kind: .permanent)
    let other = try registry.pair(name: "laptop", kind: .permanent)
    let hasEnded = Mutex(false)
    let waiting = Task {
      for await _ in registry.revocation(of: other.device.id) {}
      hasEnded.withLock { $0 = true }
    }
    try registry.revoke(grant.device.id)
    for await _ in registry.revocation(of: grant.device.id) {}
    #expect(!hasEnded.withLock { $0 })
    try registry.revoke(other.device.id)
    await waiting.value
  }

  @Test func aDeviceThatNeverShowedItsTokenIsForgotten() throws {
    let registry = try open()
    let lost = try registry.pair(name: "lost", kind: .permanent)
    let used = try registry.pair(name: "used", kind: .permanent)
    _ = try registry.authenticate("Bearer \(used.token)")
    time.advance(by: PairedDevices.claimTime + 1)
    #expect(try code { _ = try registry.authenticate("Bearer \(lost.token)") } == .unknownToken)
    #expect(try registry.authenticate("Bearer \(used.token)").id == used.device.id)
    _ = try registry.pair(name: "new", kind: .permanent)
    #expect(registry.devices.map(\.name) == ["used", "new"])
  }

  @Test func thereAreOnlySoMany() throws {
    let registry = try open()
    for number in 0..<PairedDevices.maximumDevices {
      _ = try registry.pair(name: "\(number)", kind: number.isMultiple(of: 2) ? .permanent : .renewable)
    }
    #expect(try code { _ = try registry.pair(name: "one more", kind: .permanent) } == .full)
    try registry.revoke(registry.devices[3].id)
    _ = try registry.pair(name: "one more", kind: .permanent)
  }

  @Test func aRenewableDeviceContinuesAfterARestart() throws {
    let first: DeviceGrant
    do {
      let registry = try open()
      first = try registry.pair(name: "phone", kind: .renewable)
      _ = try registry.authenticate("Bearer \(first.token)")
      time.advance(by: RenewableCredential.lifetime)
      #expect(try code { _ = try registry.authenticate("Bearer \(first.token)") } == .expiredToken)
    }
    let renewal = try #require(first.renewal)
    let lost = try open().renew(renewal.token)
    let registry = try open()
    let second = try registry.renew(renewal.token)
    #expect(second.token == lost.token)
    #expect(try registry.authenticate("Bearer \(second.token)").id == first.device.id)
  }

  /// The receipt of the new tokens is not forgotten with the process.
  @Test func aReuseIsNoticedAfterACrashToo() throws {
    let renewal: DeviceGrant.Renewal
    do {
      let registry = try open()
      renewal = try #require(registry.pair(name: "phone", kind: .renewable).renewal)
      _ = try registry.authenticate("Bearer \(registry.renew(renewal.token).token)")
    }
    #expect(try code { _ = try open().renew(renewal.token) } == .reusedToken)
  }

  @Test func aReusedRenewalTokenRevokesItsDevice() async throws {
    let registry = try open()
    let first = try registry.pair(name: "phone", kind: .renewable)
    let renewal = try #require(first.renewal)
    let second = try registry.renew(renewal.token)
    _ = try registry.authenticate("Bearer \(second.token)")
    let open = registry.revocation(of: first.device.id)
    #expect(try code { _ = try registry.renew(renewal.token) } == .reusedToken)
    for await _ in open {}
    #expect(try code { _ = try registry.authenticate("Bearer \(second.token)") } == .unknownToken)
    #expect(try code { _ = try registry.renew(renewal.token) } == .unknownToken)
    #expect(try code { _ = try registry.renew("x") } == .malformedToken)
    #expect(registry.devices.isEmpty)
  }

  @Test func withoutADiskNothingIsIssuedButRevocationHolds() throws {
    let isFull = Mutex(false)
    var disk = Disk.system
    disk.write = { descriptor, bytes in
      guard isFull.withLock({ $0 }) else { return Disk.system.write(descriptor, bytes) }
      errno = ENOSPC
      return -1
    }
    let registry = try open(disk: disk)
    let grant = try registry.pair(name: "phone", kind: .permanent)
    isFull.withLock { $0 = true }
    #expect(try code { _ = try registry.pair(name: "laptop", kind: .permanent) } == .storage)
    #expect(registry.devices.map(\.name) == ["phone"])
    #expect(try code { try registry.revoke(grant.device.id) } == .storage)
    #expect(try code { _ = try registry.authenticate("Bearer \(grant.token)") } == .unknownToken)
  }

  @Test func lastUsesAreWrittenWhenAsked() throws {
    let writes = Mutex(0)
    var disk = Disk.system
    disk.synchronize = { descriptor in
      writes.withLock { $0 += 1 }
      return Disk.system.synchronize(descriptor)
    }
    let registry = try open(disk: disk)
    let grant = try registry.pair(name: "phone", kind: .permanent)
    _ = try registry.authenticate("Bearer \(grant.token)")
    let count = writes.withLock { $0 }
    for _ in 0..<100 {
      time.advance(by: 1)
      _ = try registry.authenticate("Bearer \(grant.token)")
    }
    #expect(writes.withLock { $0 } == count)
    try registry.saveLastUses()
    #expect(try folder.text("devices.json").contains("\"lastUsedAt\":\(time.now)"))
    let after = writes.withLock { $0 }
    try registry.saveLastUses()
    #expect(writes.withLock { $0 } == after)
  }

  @Test(arguments: [
    #""devices":7"#, #""other":[]"#, #""devices":[{}]"#, #""devices":[{"id":"a","name":"b","pairedAt":1}]"#,
    #""devices":[{"id":"a b","name":"b","pairedAt":1,"credential":{"kind":"permanent","token":"00"}}]"#,
    #""devices":[{"id":"a","name":"b","pairedAt":1e300,"credential":{"kind":"renewable"}}]"#,
  ])
  func aDamagedFileIsRefusedAndKept(members: String) throws {
    let text = #"{"format":"codex-companion-devices","version":1,"# + members + "}"
    try folder.write(text, to: "devices.json")
    #expect(try #require(throws: StoreError.self) { try open() }.code == .damaged)
    #expect(try folder.text("devices.json") == text)
  }
}
