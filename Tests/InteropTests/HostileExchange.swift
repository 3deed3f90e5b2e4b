import HTTP3Engine
import StreamTransport
import TestSupport
import Testing

@testable import hostile_server

/// One case with our client's engine in virtual time; 10 ms each way.
final class HostileExchange {
  struct Result {
    var outcome: CaseOutcome
    var inapplicable: String?
    /// From the client's first datagram to its end.
    var time: Duration
    /// Datagrams that the client sent.
    var sent = 0
  }

  private struct Arrival {
    var at: Timestamp
    var bytes: [UInt8]
    var path: NetworkPath
    var toServer: Bool
  }

  private let testCase: HostileCase
  private let server: HostileServer
  private let authority: String
  private var now = Timestamp(nanoseconds: 1_000_000_000)
  private var line: [Arrival] = []
  private var batch = DatagramBatch()
  private var port: UInt16 = 40_000
  private var ticket: ResumptionTicket?
  private static let oneWay = Duration.milliseconds(10)

  init(_ testCase: HostileCase) throws {
    self.testCase = testCase
    let certificates = try CaseCertificates(testCase.certificate, key: .ed25519)
    authority = certificates.authority
    server = HostileServer(
      testCase, certificates.credentials, random: RandomSource(SeededGenerator(seed: 0x5e17)))
  }

  deinit {
    batch.deallocate()
  }

  func run() throws -> Result {
    var result: Result?
    for _ in testCase.scripts { result = try connect() }
    return try #require(result)
  }

  /// One connection with one request, which the client ends as soon as the request is over.
  private func connect() throws -> Result {
    port += 1
    let path = NetworkPath(
      local: NetworkAddress(ip: .v4(0x0a00_0001), port: port),
      remote: NetworkAddress(ip: .v4(0x0a00_0002), port: 443))
    var configuration = ClientConfiguration(
      host: "localhost", verifier: try CertificateVerifier(.authorities(pem: Array(authority.utf8))))
    configuration.ticket = ticket
    let client = try HTTP3Connection.client(
      configuration, path: path, at: now, random: RandomSource(SeededGenerator(seed: UInt64(port))))
    var run = ClientRun(client, keepsOpen: testCase.scripts.count > 1 && ticket == nil)
    let began = now
    var result = Result(outcome: .hanging, time: .zero)
    while true {
      settle(client, &run, path, &result)
      if run.isOver { break }
      let next = [line.map(\.at).min(), client.deadline, server.deadline].compactMap { $0 }.min()
      guard let next, next <= began + .seconds(60) else { break }
      now = max(now, next)
      deliver(client)
      client.handleTimeout(at: now)
      server.handleTimeout(at: now)
    }
    result.time = now - began
    // What the client sent last arrives.
    now = now + Self.oneWay
    deliver(client)
    ticket = run.ticket
    let observation = server.observation
    result.inapplicable = observation.inapplicable
    result.outcome = run.isOver ? observation.outcome(succeeded: run.succeeded, isOver: true) : .hanging
    return result
  }

  private func settle(
    _ client: HTTP3Connection, _ run: inout ClientRun, _ path: NetworkPath, _ result: inout Result
  ) {
    var isBusy = true
    while isBusy {
      isBusy = false
      while client.fill(&batch, at: now) {
        for index in 0..<batch.segmentCount {
          result.sent += 1
          let seen = NetworkPath(local: path.remote, remote: path.local)
          line.append(
            Arrival(at: now + Self.oneWay, bytes: Array(batch.segment(at: index)), path: seen, toServer: true))
        }
      }
      while let datagram = server.nextDatagram(at: now) {
        var seen = NetworkPath(local: datagram.path.remote, remote: datagram.path.local)
        if datagram.fromOtherPort { seen.remote.port += 1 }
        line.append(Arrival(at: now + Self.oneWay, bytes: datagram.bytes, path: seen, toServer: false))
      }
      while let event = client.nextEvent() {
        isBusy = true
        run.take(event, at: now)
      }
    }
  }

  private func deliver(_ client: HTTP3Connection) {
    while let index = line.indices.first(where: { line[$0].at <= now }) {
      let arrival = line.remove(at: index)
      arrival.bytes.withUnsafeBytes { bytes in
        arrival.toServer
          ? server.receive(bytes, on: arrival.path, ecn: .notECT, at: now)
          : client.receive(bytes, on: arrival.path, ecn: .notECT, at: now)
      }
    }
  }
}
