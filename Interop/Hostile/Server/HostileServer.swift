import HTTP3Engine

/// A server that plays one case with every client that comes, without input and output of its own.
///
/// The contract is ``HTTP3Connection``'s: facts in, then ``nextDatagram(at:)`` and ``deadline``.
final class HostileServer {
  struct Outgoing {
    var bytes: [UInt8]
    /// The server's view.
    var path: NetworkPath
    var ecn: ECNCodepoint
    var fromOtherPort = false
  }

  let testCase: HostileCase
  private let configuration: ServerConfiguration
  private let random: RandomSource
  private var endpoint: HTTP3ServerEndpoint
  private var plays: [NetworkAddress: Play] = [:]
  private var outgoing: [Outgoing] = []
  private var batch = DatagramBatch()
  private(set) var observation = ClientObservation()
  /// Clients that came; each has the next script, and those after the last one have that.
  private var clients = 0
  private static let clientLimit = 100

  init(_ testCase: HostileCase, _ credentials: ServerCredentials, random: RandomSource) {
    self.testCase = testCase
    self.random = random
    var configuration = ServerConfiguration(credentials: credentials)
    configuration.connection.isRaw = true
    // Forged packets are recognised by version 1's types.
    configuration.connection.versions = [.v1]
    configuration.resetSecret = random.bytes(32)
    configuration.secrets = [random.bytes(32)]
    testCase.change(&configuration)
    self.configuration = configuration
    endpoint = HTTP3ServerEndpoint(configuration, random: random)
  }

  deinit {
    batch.deallocate()
  }

  /// The first flight of the attacked connection may be lost permanently with the handshake's packets held back.
  func receive(_ bytes: UnsafeRawBufferPointer, on path: NetworkPath, ecn: ECNCodepoint, at now: Timestamp) {
    guard var play = plays[path.remote] ?? begin(path) else { return }
    observation.firstDatagram = observation.firstDatagram ?? now
    observation.lastDatagram = now
    defer { plays[path.remote] = play }
    let datagram = Array(bytes)
    let wasHolding = play.isHolding
    play.take(datagram)
    if let bytes = play.reply?(datagram) { send(bytes, play) }
    advance(&play, at: now)
    guard !play.isMuted, !play.isHolding else { return }
    for datagram in wasHolding ? play.datagrams : [datagram] {
      datagram.withUnsafeBytes { endpoint.receive($0, on: path, ecn: ecn, at: now) }
      if play.key == nil || endpoint.newestConnection.map({ $0 != play.key && isOf($0, path) }) == true {
        play.key = endpoint.newestConnection.flatMap { isOf($0, path) ? $0 : nil }
      }
    }
    look(at: play)
    advance(&play, at: now)
  }

  func handleTimeout(at now: Timestamp) {
    endpoint.handleTimeout(at: now)
    for var play in plays.values {
      advance(&play, at: now)
      plays[play.path.remote] = play
    }
  }

  var deadline: Timestamp? {
    (plays.values.map(\.pauseEnd) + [endpoint.deadline]).compactMap { $0 }.min()
  }

  func nextDatagram(at now: Timestamp) -> Outgoing? {
    repeat {
      while outgoing.isEmpty, endpoint.fill(&batch, at: now) {
        let play = plays[batch.path.remote]
        guard play?.isMuted != true else { continue }
        outgoing += (0..<batch.segmentCount).map { index in
          Outgoing(
            bytes: Array(batch.segment(at: index)), path: batch.path, ecn: batch.ecn,
            fromOtherPort: play?.usesOtherPort == true)
        }
      }
    } while takeEvents(at: now) && outgoing.isEmpty
    return outgoing.isEmpty ? nil : outgoing.removeFirst()
  }

  // MARK: Parts

  private func begin(_ path: NetworkPath) -> Play? {
    guard plays.count < Self.clientLimit else { return nil }
    let script = min(clients, testCase.scripts.count - 1)
    clients += 1
    observation.connections += 1
    if script > 0, clients == testCase.scripts.count { observation = ClientObservation(connections: 1) }
    return Play(testCase.scripts[script], path: path)
  }

  private func isOf(_ key: ConnectionKey, _ path: NetworkPath) -> Bool {
    endpoint.connection(key)?.remoteAddress == path.remote
  }

  private func send(_ bytes: [UInt8], _ play: Play) {
    outgoing.append(Outgoing(bytes: bytes, path: play.path, ecn: .notECT, fromOtherPort: play.usesOtherPort))
  }

  private func advance(_ play: inout Play, at now: Timestamp) {
    var stage = Play.Stage(endpoint: endpoint, now: now)
    play.advance(on: &stage)
    for bytes in stage.outgoing { send(bytes, play) }
    if observation.inapplicable == nil { observation.inapplicable = stage.inapplicable }
    guard stage.forgets else { return }
    endpoint = HTTP3ServerEndpoint(configuration, random: random)
    play.key = nil
  }

  /// Events are where the handshake's end and closed connections are reported; what counts is on the wire.
  private func takeEvents(at now: Timestamp) -> Bool {
    var hasEvents = false
    while endpoint.nextEvent() != nil { hasEvents = true }
    guard hasEvents else { return false }
    for var play in plays.values {
      advance(&play, at: now)
      look(at: play)
      plays[play.path.remote] = play
    }
    return true
  }

  private func look(at play: Play) {
    // Connections before the last script's are there for their tickets.
    guard clients >= testCase.scripts.count, let key = play.key, let connection = endpoint.connection(key) else {
      return
    }
    for ending in connection.raw?.endings ?? [] { observation.note(ending) }
    if play.hasAnswered { observation.hasAnswer = true }
    if play.isAnswered(by: connection) { observation.isAnswered = true }
  }
}
