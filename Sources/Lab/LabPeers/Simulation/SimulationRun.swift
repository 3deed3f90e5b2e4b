import EnginePair
import HTTP3Engine

/// Lets a scenario happen, in virtual time, and looks whether client and server keep their promises.
///
/// Every request ends with its exact body or with an error, and no later than ``limit``; the server sees no request more
/// often than it was sent; memory and connections stay within bounds, and nothing is left when all is over.
package final class SimulationRun {
  /// Longer than two idle time-outs of a minute and the slowest transfer.
  package static let limit = Duration.seconds(300)
  private static let mostConnections = 4
  /// Three probe time-outs (RFC 9000 § 8.2.4), which are shorter than a second on these links.
  private static let longestTrial = Duration.seconds(3)

  private let scenario: SimulationScenario
  private let pair: QUICPair
  private let start: Timestamp
  private var servers: [EchoServer]
  private var client: RequestClient
  /// For each request of the scenario: its place in the client's answers.
  private var places: [Int: Int] = [:]
  private var sends: [String: Int] = [:]
  private var outcomes: [Int: RequestClient.Answer] = [:]
  private var result: SimulationResult
  private var moves: UInt32 = 0
  private var lastMoveAt = Duration.zero
  /// The time at which the client in use learnt that its connection is over.
  private var closedAt: Duration?
  private let onNote: ((Duration, String) -> Void)?

  /// - Parameter onNote: gets a line for all that happens; nil costs nothing.
  package static func run(
    _ scenario: SimulationScenario, onNote: ((Duration, String) -> Void)? = nil
  ) throws -> SimulationResult {
    try SimulationRun(scenario, onNote).play()
  }

  private init(_ scenario: SimulationScenario, _ onNote: ((Duration, String) -> Void)?) throws {
    self.scenario = scenario
    self.onNote = onNote
    result = SimulationResult(seed: scenario.seed)
    pair = try QUICPair.make(
      seed: scenario.seed, conditions: scenario.conditions, clientLimits: { $0.repeats = scenario.repeats },
      server: {
        $0.connection.repeats = scenario.repeats
        $0.resetSecret = Self.secret
        $0.secrets = [Self.secret]
      })
    start = pair.now
    pair.timeLimit = start + Self.limit
    servers = [EchoServer(on: pair)]
    client = RequestClient(on: pair)
    client.repeatsRefusedRequests = true
    noteClient()
    noteServer()
    noteFaults()
  }

  private static let secret = [UInt8](repeating: 7, count: 32)

  private enum Step {
    case request(Int)
    case restart(keepsSecrets: Bool)
    case move(MigrationKind)
  }

  private func play() throws -> SimulationResult {
    var steps = scenario.requests.indices.map { (at: scenario.requests[$0].start, step: Step.request($0)) }
    if let restart = scenario.restart {
      steps.append((at: restart.at, step: .restart(keepsSecrets: restart.keepsSecrets)))
    }
    steps += scenario.moves.map { (at: $0.at, step: .move($0.kind)) }
    for (at, step) in steps.sorted(by: { $0.at < $1.at }) {
      try pair.run(for: max(.zero, at - (pair.now - start)))
      checkBounds()
      switch step {
      case .request(let index): send(index)
      case .restart(let keepsSecrets): try restart(keepsSecrets: keepsSecrets)
      case .move(let kind): move(kind)
      }
    }
    run { client.isDone }
    // A client whose server went away comes back for what is missing.
    while client.closed != nil, !missing.isEmpty, result.hasRestarted, result.connections < Self.mostConnections {
      try reconnect(missing)
      run { client.isDone }
    }
    if client.closed == nil, result.violations.isEmpty, !scenario.laterRequests.isEmpty {
      pair.client.close(.noError, reason: "", at: pair.now)
      try pair.run(for: .seconds(2))
      try reconnect(Array(scenario.requests.count..<requests.count))
      run { client.isDone }
    }
    judge()
    try end()
    result.faults = pair.link.faults
    return result
  }

  private var missing: [Int] { places.keys.filter { outcomes[$0] == nil }.sorted() }

  private var requests: [SimulationScenario.Request] { scenario.requests + scenario.laterRequests }

  private func send(_ index: Int) {
    let request = requests[index]
    let kind = request.isUpload ? "echo" : request.isDripped ? "drip" : "bytes"
    let path = "/\(kind)/\(request.size)?\(index)"
    sends[path, default: 0] += 1
    result.requests += 1
    note("request \(index): \(request.isUpload ? "POST" : "GET") of \(request.size) bytes")
    places[index] =
      request.isUpload
      ? client.send("POST", path, body: EchoServer.pattern(request.size)) : client.send("GET", path)
  }

  private func restart(keepsSecrets: Bool) throws {
    note("the server starts anew, \(keepsSecrets ? "with" : "without") its secrets")
    let secret = Self.secret.map { keepsSecrets ? $0 : $0 + 1 }
    pair.replaceServer(
      try QUICPair.serverConfiguration {
        $0.connection.repeats = scenario.repeats
        $0.resetSecret = secret
        $0.secrets = [secret]
      })
    servers.append(EchoServer(on: pair))
    result.hasRestarted = true
    noteServer()
  }

  /// The client continues at an address that it did not have before.
  private func move(_ kind: MigrationKind) {
    moves += 1
    lastMoveAt = pair.now - start
    let address = NetworkAddress(ip: .v4(0x0a00_0100 + UInt32(moves)), port: 41_050 + UInt16(moves))
    let outcome = pair.client.migrate(
      to: NetworkPath(local: address, remote: pair.clientPath.remote), kind, at: pair.now)
    note("the client moves to \(address), \(kind): \(outcome)")
  }

  /// The client comes back with what it was given, and these requests.
  private func reconnect(_ indices: [Int]) throws {
    keepOutcomes()
    let (ticket, token) = (client.tickets.last, client.tokens.last)
    note("the client comes back \(ticket == nil ? "without" : "with") a ticket")
    try pair.replaceClient(
      QUICPair.clientConfiguration {
        $0.connection.repeats = scenario.repeats
        $0.ticket = ticket
        $0.token = token
      })
    client = RequestClient(on: pair)
    client.repeatsRefusedRequests = true
    closedAt = nil
    result.connections += 1
    noteClient()
    places = [:]
    for index in indices { send(index) }
  }

  /// Runs until `isDone`; a link on which nothing will ever happen again is a hang.
  private func run(until isDone: () -> Bool) {
    guard result.violations.isEmpty else { return }
    do {
      if scenario.hasRepeats { try drip(until: isDone) }
      try pair.run {
        checkBounds()
        return isDone()
      }
    } catch {
      result.violations.append("hang: \(client.answers.count { !$0.isOver }) requests have no outcome")
    }
  }

  /// Lets the server send its dripping bodies.
  private func drip(until isDone: () -> Bool) throws {
    while !isDone(), pair.now < pair.timeLimit {
      try pair.run(for: .milliseconds(10))
      checkBounds()
      servers.last?.drip()
    }
  }

  private func note(_ text: @autoclosure () -> String) { onNote?(pair.now - start, text()) }
}

extension SimulationRun {
  private func keepOutcomes() {
    result.earlyContentCount += pair.client.statistics.earlyContentCount
    if client.handshake?.isResumed == true { result.hasResumed = true }
    if client.handshake?.earlyData == .accepted { result.hasSentEarly = true }
    if moves > 0, pair.client.currentPath?.local != pair.clientPath.local { result.hasMoved = true }
    for (index, place) in places where client.answers[place].isComplete { outcomes[index] = client.answers[place] }
  }

  /// Whether each request ended as it must.
  private func judge() {
    keepOutcomes()
    for (index, place) in places where outcomes[index] == nil { outcomes[index] = client.answers[place] }
    for (index, request) in requests.enumerated() {
      guard let answer = outcomes[index] else {
        if scenario.requests.indices.contains(index) { result.violations.append("request \(index) was never sent") }
        continue
      }
      if answer.isComplete, answer.body != EchoServer.pattern(request.size) || answer.status != "200" {
        result.violations.append("request \(index): \(answer.body.count) bytes of \(request.size), or others")
      } else if answer.isComplete, answer.error != nil {
        result.violations.append("request \(index) ended twice")
      } else if let error = answer.error {
        if isMiscount(error) { result.requestsOfMiscounts += 1 } else { result.errors.append(error) }
      } else if !answer.isComplete {
        result.violations.append("request \(index) has no outcome")
      }
    }
    var seen: [String: Int] = [:]
    for fields in servers.flatMap(\.requests) {
      seen[fields.first { $0.name == ":path" }?.value ?? "", default: 0] += 1
    }
    for (path, count) in seen where count > sends[path] ?? 0 {
      result.violations.append("the server saw \(path) \(count) times and the client sent it \(sends[path] ?? 0) times")
    }
    result.virtualTime = pair.now - start
  }

  /// Whether the server ended the connection by the miscount of ngtcp2 1.11 that RebindingTests avoids by its pace.
  ///
  /// On each NEW_CONNECTION_ID frame the library adds the id of the path that it tries to the one that it would fall
  /// back to, also where both are the same (`conn_recv_new_connection_id`), so that a client that keeps to the limit is
  /// one above it. That takes a second migration whose path validation overlaps with the rest of the first one, and
  /// lasts as long as the validation does. The client cannot know of it: its own trials are over by then.
  private func isMiscount(_ error: HTTP3Error) -> Bool {
    guard error.code == .transport(.connectionIDLimitError), moves == 2, !result.hasRestarted, let closedAt else {
      return false
    }
    return closedAt >= lastMoveAt && closedAt <= lastMoveAt + Self.longestTrial
  }

  /// Closes the client; a minute and a half later the server has forgotten it, though the word may have been lost.
  private func end() throws {
    pair.client.close(.noError, reason: "", at: pair.now)
    try pair.run(for: .seconds(200))
    if pair.server.connectionCount != 0 || pair.server.routeCount != 0 {
      result.violations.append(
        "left over: \(pair.server.connectionCount) connections and \(pair.server.routeCount) connection ids")
    }
    if !pair.isIdle { result.violations.append("something is still to happen when all is over") }
  }

  private func checkBounds() {
    if closedAt == nil, client.closed != nil { closedAt = pair.now - start }
    var broken: [String] = []
    if pair.client.openStreamCount > requests.count { broken.append("streams") }
    // What a client sent before a restart, or twice, or from two addresses may look like another client's first packet.
    if pair.server.connectionCount > Self.mostConnections { broken.append("connections") }
    if pair.server.routeCount > 16 * Self.mostConnections { broken.append("connection ids") }
    for id in client.streams.values where pair.client.bufferedBytes(on: id) > SimulationScenario.largestBody {
      broken.append("bytes to send")
    }
    if !broken.isEmpty, result.violations.isEmpty { result.violations.append("more \(broken[0]) than there can be") }
  }

  // MARK: Reporting all that happens

  private func noteClient() {
    guard let onNote else { return }
    let (pair, start, handle) = (pair, start, pair.onClient)
    pair.onClient = { [unowned pair] in
      onNote(pair.now - start, "client: \($0.summary)")
      handle($0)
    }
  }

  private func noteServer() {
    guard let onNote else { return }
    let (pair, start, handle) = (pair, start, pair.onServer)
    pair.onServer = { [unowned pair] in
      onNote(pair.now - start, "server, connection \($0.rawValue): \($1.summary)")
      handle($0, $1)
    }
  }

  private func noteFaults() {
    guard let onNote else { return }
    let (pair, start) = (pair, start)
    pair.link.onFault = { [unowned pair] fault, direction, count in
      onNote(pair.now - start, "link, \(direction): \(fault), \(count) bytes")
    }
  }
}
