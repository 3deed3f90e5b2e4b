import HTTP3Engine
import StreamTransport

/// Plays one case of the second table with a server on this machine; lives on one event loop.
actor AttackRunner {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let client: HTTP3Connection
  private let socket: UDPSocket
  private let end: Timestamp
  private var play: AttackPlay
  private var batch = DatagramBatch()
  private var registration: EventLoop.Registration?
  private var timer: LoopTimer?
  private let answer = OneShot<CaseOutcome?>()

  /// - Parameter server: an address on loopback.
  init(
    _ row: AttackCase, _ configuration: ClientConfiguration, server: NetworkAddress, on loop: EventLoop
  ) throws {
    self.loop = loop
    socket = try UDPSocket(bindingTo: .loopback(port: 0))
    play = AttackPlay(row)
    let path = NetworkPath(local: socket.localAddress, remote: server)
    client = try HTTP3Connection.client(configuration, path: path, at: loop.now, random: RandomSource())
    end = loop.now + .seconds(5)
  }

  /// Runs the case and returns the server's outcome; nil if the case says nothing of it. Called once.
  func run() async throws -> CaseOutcome? {
    registration = try loop.register(socket, [.readable]) { [weak self] _ in self?.assumeIsolated { $0.receive() } }
    timer = LoopTimer(loop) { [weak self] in self?.assumeIsolated { $0.step() } }
    step()
    let outcome = try await answer.value()
    if let registration { loop.unregister(registration, socket) }
    registration = nil
    timer?.cancel()
    client.close(.noError, reason: "", at: loop.now)
    send()
    socket.close()
    batch.deallocate()
    return outcome
  }

  private func receive() {
    let now = loop.now
    socket.receiveAll(on: loop) { client.receive($0, on: $1, ecn: $2, at: now) }
    step()
  }

  private func step() {
    let now = loop.now
    client.handleTimeout(at: now)
    var isBusy = true
    while isBusy {
      isBusy = false
      play.advance(client, at: now)
      send()
      while let event = client.nextEvent() {
        isBusy = true
        play.note(event)
      }
    }
    if play.isInapplicable {
      _ = answer.answer(.success(nil))
    } else if let outcome = play.outcome(client) {
      _ = answer.answer(.success(outcome))
    } else if now >= end {
      _ = answer.answer(.success(.hanging))
    } else {
      timer?.set([client.deadline, play.deadline, end].compactMap { $0 }.min())
    }
  }

  /// Sends what is due; what the kernel does not take counts as lost, and QUIC sends it again.
  private func send() {
    while client.fill(&batch, at: loop.now) {
      for index in 0..<batch.segmentCount {
        let segment = batch.segment(at: index)
        _ = socket.send(segment, segmentSize: segment.count, path: batch.path, ecn: batch.ecn)
      }
    }
  }
}
