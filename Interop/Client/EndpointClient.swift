import HTTP3Engine
import HTTPTypes
import Logging
import StreamTransport

/// The client's part of a case: connections and downloads.
struct EndpointClient {
  /// Requests of one connection that are under way at once; more wait, so that thousands of files need little memory.
  private static let requestsAtOnce = 256
  /// Under a loss of 30 % each way a handshake takes seconds, now and then many (RFC 9002 § 6.2.1: waits double).
  private static let patience = Duration.seconds(60)

  let contract: EndpointContract
  let logger: Logger

  func run() async throws {
    switch contract.testCase {
    case .multiconnect:
      for target in contract.requests { try await fetch([target], resuming: nil) }
    case .resumption, .zerortt:
      let memory = ResumptionStore()
      try await fetch(Array(contract.requests.prefix(1)), resuming: memory, wantsTicket: true)
      try await fetch(Array(contract.requests.dropFirst()), resuming: memory)
    case .handshake, .transfer, .chacha20, .retry, .http3, .keyupdate, .ecn, .v2, .connectionmigration:
      try await fetch(contract.requests, resuming: nil)
    }
  }

  /// Fetches all by one connection for each origin; with a memory of an earlier one, continues with its session.
  private func fetch(
    _ targets: [RequestTarget], resuming memory: ResumptionStore?, wantsTicket: Bool = false
  ) async throws {
    for (origin, targets) in Dictionary(grouping: targets, by: \.origin) {
      try await withTransport(makeTransport(origin, memory ?? ResumptionStore())) { transport in
        try await fetch(targets, by: transport)
        if wantsTicket, let memory { try await waitForTicket(of: origin, in: memory) }
        if memory != nil, !wantsTicket { try await checkResumption(of: transport) }
      }
    }
  }

  private func makeTransport(_ origin: Origin, _ memory: ResumptionStore) -> HTTP3Transport {
    let tls = TLSOptions(
      trust: .certificateFile(contract.certificates + "/ca.pem"), keyLogFile: contract.keyLogFile)
    return HTTP3Transport(
      origin: origin, tls: tls, logger: logger, configuration: Self.configuration(for: contract), resumption: memory)
  }

  static func configuration(for contract: EndpointContract) -> HTTP3TransportConfiguration {
    var configuration = HTTP3TransportConfiguration()
    configuration.mapping = contract.mapping
    configuration.qlogDirectory = contract.qlogDirectory
    configuration.connectTimeout = patience
    // Each case says how many connections there are to be: none for another address or for a path that is silent a while.
    configuration.addressDelay = .seconds(5)
    configuration.replacesSilentConnections = false
    // Small beside the files, so that the windows have to be moved on.
    configuration.receiveWindow = 256 << 10
    configuration.maximumWaitingRequests = requestsAtOnce
    configuration.sendsEarlyData = contract.testCase == .zerortt
    // Datagrams that try larger sizes would count as data that was not sent early.
    configuration.probesPathMTU = contract.testCase != .zerortt
    configuration.offersQUICVersion2 = contract.testCase == .v2
    if contract.testCase == .chacha20 { configuration.cipherSuites = [.chaCha20Poly1305] }
    return configuration
  }

  // MARK: Files

  private func fetch(_ targets: [RequestTarget], by transport: HTTP3Transport) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, target) in targets.enumerated() {
        if index >= Self.requestsAtOnce { try await group.next() }
        group.addTask { try await download(target, by: transport) }
      }
      try await group.waitForAll()
    }
  }

  private func download(_ target: RequestTarget, by transport: HTTP3Transport) async throws {
    let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: target.path)
    let response = try await transport.send(request, body: .none)
    guard response.head.status == .ok else {
      throw EndpointFailure("\(target.origin)\(target.path) is answered with \(response.head.status).")
    }
    let file = try OpenFile(writing: contract.downloads + "/" + target.fileName)
    // Early in the connection, as soon as the server has confirmed the handshake.
    var wantsNewKeys = contract.testCase == .keyupdate
    for try await chunk in response.body {
      try file.write(chunk)
      if wantsNewKeys, await transport.updateKeys() { wantsNewKeys = false }
    }
    if wantsNewKeys { throw EndpointFailure("The body of \(target.path) ended before the keys could be updated.") }
  }

  // MARK: Sessions

  /// Tickets come after the handshake, perhaps after the first file.
  private func waitForTicket(of origin: Origin, in memory: ResumptionStore) async throws {
    let end = ContinuousClock.now + .seconds(10)
    while await memory.ticketCount(origin) == 0 {
      guard ContinuousClock.now < end else {
        throw EndpointFailure("\(origin) gave no session ticket within 10 seconds.")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  private func checkResumption(of transport: HTTP3Transport) async throws {
    let resumption = try await transport.connect().resumption
    switch (contract.testCase, resumption) {
    case (.zerortt, .earlyDataAccepted), (.resumption, .resumed): break
    default: throw EndpointFailure("\(transport.origin) did not continue the session: \(resumption.rawValue).")
    }
  }
}
