import HTTP3Engine

/// Looks up one name by DNS on an event loop. Where the network or resolv.conf(5) changes meanwhile, it begins again with
/// what they say then: name servers of a network that was left do not answer.
actor DNSLookup: LoopActor {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let name: HostName
  private let files: NameFiles
  private let turn: Int
  private let answer = OneShot<[NetworkAddress]>()
  /// The channel's own sockets.
  private var settings: DNSSettings?
  private var channel: DNSChannel?
  /// The channel's sockets.
  private var watched: [CInt: EventLoop.Registration] = [:]
  private var timer: LoopTimer?

  /// - Parameter turn: how many look-ups there were before, where servers are to take turns.
  init(_ name: HostName, _ files: NameFiles, turn: Int, loop: EventLoop) {
    self.name = name
    self.files = files
    self.turn = turn
    self.loop = loop
  }

  /// May be called once. Throws ``DNSFailure``, ``SystemError``, or `CancellationError` when the task is cancelled.
  func run() async throws -> [NetworkAddress] {
    let timer = LoopTimer(loop) { [weak self] in self?.assumeOnLoop { $0.timeHasCome() } }
    let observer = loop.networkMonitor.add { [weak self] in self?.assumeOnLoop { $0.networkHasChanged() } }
    self.timer = timer
    defer {
      loop.networkMonitor.remove(observer)
      timer.cancel()
      close()
    }
    begin(files.settings)
    return try await answer.value()
  }

  private func begin(_ settings: DNSSettings) {
    close()
    self.settings = settings
    do throws(DNSFailure) {
      let channel = try DNSChannel(settings, turn: turn)
      self.channel = channel
      channel.lookUp(settings.query(for: name))
      follow(channel)
    } catch {
      answer.answer(.failure(error))
    }
  }

  private func ready(_ socket: CInt, _ readiness: Readiness) {
    guard let channel else { return }
    channel.process(socket, readiness)
    follow(channel)
  }

  private func networkHasChanged() {
    guard channel != nil else { return }
    begin(files.settings)
  }

  private func timeHasCome() {
    guard let channel else { return }
    // The file may follow a change of the network by seconds.
    let now = files.settings
    guard now == settings else { return begin(now) }
    channel.processTimeLimits()
    follow(channel)
  }

  /// Does what the channel asks for.
  private func follow(_ channel: DNSChannel) {
    do throws(SystemError) {
      for (socket, interest) in channel.takeInterests() { try watch(socket, interest) }
    } catch {
      answer.answer(.failure(error))
    }
    timer?.set(channel.wait.map { loop.now + $0 })
    guard let result = channel.takeAnswer() else { return }
    answer.answer(result.mapError { $0 as any Error })
    close()
  }

  private func watch(_ socket: CInt, _ interest: Readiness) throws(SystemError) {
    if let old = watched.removeValue(forKey: socket) { loop.unregister(old, descriptor: socket) }
    guard !interest.isEmpty else { return }
    watched[socket] = try loop.register(descriptor: socket, interest) { [weak self] readiness in
      self?.assumeOnLoop(readiness) { $0.ready(socket, $1) }
    }
  }

  private func close() {
    for (socket, registration) in watched { loop.unregister(registration, descriptor: socket) }
    watched = [:]
    timer?.set(nil)
    channel = nil
  }
}
