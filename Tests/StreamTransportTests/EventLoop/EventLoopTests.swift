import HTTP3Engine
import StreamTransport
import Synchronization
import Testing

@Suite struct EventLoopTests {
  private func withLoop(_ body: (EventLoop) async throws -> Void) async throws {
    let loop = try EventLoop(name: "test")
    try await body(loop)
    loop.stop()
  }

  /// Lives on a loop as connections do.
  private actor Resident {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var fired: [String] = []
    private var timers: [LoopTimer] = []

    init(_ loop: EventLoop) { self.loop = loop }

    var isAtHome: Bool { loop.isCurrent }

    /// Names of timers in the order in which they fired; ends with the one called `last`.
    func firings() async -> [String] {
      let (stream, source) = AsyncStream.makeStream(of: String.self)
      // One moment for all: between two calls of `now` a busy machine may let any time pass.
      let start = loop.now
      let plan: [(String, Duration)] = [("last", .milliseconds(9)), ("b", .milliseconds(6)), ("a", .milliseconds(3))]
      for (name, delay) in plan {
        let timer = LoopTimer(loop) { source.yield(name) }
        timer.set(start + delay)
        timers.append(timer)
      }
      let moved = LoopTimer(loop) { source.yield("moved") }
      moved.set(start + .milliseconds(1))
      moved.set(start + .milliseconds(7))
      let unset = LoopTimer(loop) { source.yield("unset") }
      unset.set(start + .milliseconds(1))
      unset.set(nil)
      let cancelled = LoopTimer(loop) { source.yield("cancelled") }
      cancelled.set(start + .milliseconds(1))
      cancelled.cancel()
      cancelled.set(start)
      timers += [moved, unset, cancelled]
      for await name in stream {
        fired.append(name)
        if name == "last" { break }
      }
      return fired
    }
  }

  @Test(.timeLimit(.minutes(10))) func anActorRunsOnItsLoopsThread() async throws {
    try await withLoop { loop in
      let resident = Resident(loop)
      for _ in 0..<100 {
        #expect(await resident.isAtHome)
        #expect(!loop.isCurrent)
      }
    }
  }

  @Test(.timeLimit(.minutes(10))) func timersFireInOrderAndOnlyThoseThatAreSet() async throws {
    try await withLoop { loop in
      let names = await Resident(loop).firings()
      #expect(names == ["a", "b", "moved", "last"])
    }
  }

  @Test(.timeLimit(.minutes(10))) func aPassRunsOnceAfterAllWorkOfItsTurnAndMayAskForTheNext() async throws {
    try await withLoop { loop in
      let (stream, source) = AsyncStream.makeStream(of: String.self)
      loop.execute {
        var passes = 0
        var again: LoopPass?
        let pass = LoopPass(loop) {
          passes += 1
          source.yield("pass \(passes)")
          if passes == 1 { again?.request() } else { source.finish() }
        }
        again = pass
        pass.request()
        pass.request()
        loop.execute {
          source.yield("work")
          loop.execute { source.yield("what the work led to") }
        }
        source.yield("begin")
      }
      var seen: [String] = []
      for await step in stream { seen.append(step) }
      #expect(seen == ["begin", "work", "what the work led to", "pass 1", "pass 2"])
    }
  }

  @Test(.timeLimit(.minutes(10))) func workFromManyTasksAllRunsAndKeepsEachOnesOrder() async throws {
    try await withLoop { loop in
      let seen = Record()
      await withTaskGroup(of: Void.self) { group in
        for sender in 0..<8 {
          group.addTask {
            for number in 0..<1_000 { loop.execute { seen.add(number, from: sender) } }
          }
        }
      }
      await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
      let result = seen.numbers
      for sender in 0..<8 { #expect(result[sender] == Array(0..<1_000)) }
    }
  }

  @Test(.timeLimit(.minutes(10))) func aReadableSocketCallsItsHandlerUntilItIsUnregistered() async throws {
    try await withLoop { loop in
      let receiver = Receiver(loop, try UDPSocket(bindingTo: .loopback(port: 0)))
      let (arrivals, source) = AsyncStream.makeStream(of: [UInt8].self)
      try await receiver.open(source)
      let sender = try UDPSocket(connectingTo: receiver.address)
      var iterator = arrivals.makeAsyncIterator()
      for number in 0..<5 {
        #expect(sender.send([UInt8](repeating: UInt8(number), count: 30)) == .done)
        #expect(await iterator.next() == [UInt8](repeating: UInt8(number), count: 30))
      }
      await receiver.close()
      #expect(sender.send([UInt8](repeating: 9, count: 30)) == .done)
      source.finish()
      #expect(await iterator.next() == nil)
    }
  }

  private final class Record: Sendable {
    private let state = Mutex<[Int: [Int]]>([:])

    var numbers: [Int: [Int]] { state.withLock { $0 } }

    func add(_ number: Int, from sender: Int) {
      state.withLock { $0[sender, default: []].append(number) }
    }
  }

  private actor Receiver {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    nonisolated let address: NetworkAddress
    private let socket: UDPSocket
    private var registration: EventLoop.Registration?

    init(_ loop: EventLoop, _ socket: sending UDPSocket) {
      self.loop = loop
      address = socket.localAddress
      self.socket = socket
    }

    func open(_ source: AsyncStream<[UInt8]>.Continuation) throws {
      registration = try loop.register(socket, [.readable]) { [weak self] _ in
        self?.assumeIsolated { receiver in
          let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
          _ = receiver.socket.receive(into: buffer) { bytes, _, _ in source.yield(Array(bytes)) }
          buffer.deallocate()
        }
      }
    }

    func close() {
      if let registration { loop.unregister(registration, socket) }
    }
  }

  @Test(.timeLimit(.minutes(10))) func aSuspensionIsReportedAndASetClockIsNot() async throws {
    let suspended = Mutex<UInt64>(5_000_000_000)
    let loop = try EventLoop(name: "test", suspendedTime: { suspended.withLock { $0 } })
    let (durations, tell) = AsyncStream.makeStream(of: Duration.self)
    loop.execute {
      let removed = loop.addSuspensionHandler { _ in Issue.record("This handler was removed.") }
      _ = loop.addSuspensionHandler { tell.yield($0) }
      loop.removeSuspensionHandler(removed)
      loop.clockHasJumped()
      suspended.withLock { $0 += 7_000_000_000 }
      loop.clockHasJumped()
      loop.clockHasJumped()
      suspended.withLock { $0 += 3_600_000_000_000 }
      loop.clockHasJumped()
      tell.finish()
    }
    var seen: [Duration] = []
    for await duration in durations { seen.append(duration) }
    #expect(seen == [.seconds(7), .seconds(3_600)])
    loop.stop()
  }
}
