import ArgumentParser
import HTTPTypes
import LabPeers
import StreamTransport

/// The cost of name servers that do not answer to everything else.
struct NamesBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "names",
    abstract: "Measures look-ups and an event stream while other look-ups wait for a silent name server.",
    discussion: """
      A name server, an HTTP/3 server that sends an event every 5 ms, and their client in one process, over loopback. In
      the second row names that are never answered are looked up all the time. An event is late by what it came behind
      its time on the server's schedule; a look-up is that of a name that the server answers at once.
      """)

  private static let period = Duration.milliseconds(5)
  private static let lookUpEvery = 20

  @Option(help: "Look-ups that wait for an answer at the same time.")
  var waiting = 8

  @Option(help: "Seconds of each row.")
  var seconds = 10

  func validate() throws {
    guard (1..<NameResolver.limit).contains(waiting) else {
      throw ValidationError("--waiting is \(waiting); 1 to \(NameResolver.limit - 1) are possible.")
    }
    guard (1...3_600).contains(seconds) else {
      throw ValidationError("--seconds is \(seconds); 1 to 3600 are possible.")
    }
  }

  func run() async throws {
    try await NameServer.run { question in
      question.name.hasPrefix("dead") ? [] : [.addresses(["127.0.0.1"])]
    } body: { server in
      let names = try ResolverUnderTest(resolvConf: server.line)
      let quiet = try await row("none", names)
      let dead = (1...waiting).map { number in
        Task {
          while !Task.isCancelled { _ = try? await names.addresses(of: "dead\(number).test", timeout: .seconds(600)) }
        }
      }
      let busy = try await row("\(waiting)", names)
      for task in dead { task.cancel() }
      for task in dead { await task.value }
      let table = ComparisonTable(
        section: "an event every 5 ms for \(seconds) s, a look-up every 100 ms", title: "look-ups that wait",
        columns: ["event_p50_ms", "event_p99_ms", "event_max_ms", "look-up_p50_ms", "look-up_max_ms"],
        rows: [quiet, busy])
      print(table.text)
    }
  }

  private func row(_ name: String, _ names: ResolverUnderTest) async throws -> ComparisonTable.Row {
    let certificate = try DevelopmentCertificate.make()
    let count = seconds * 200
    let logger = TransportPeer.quietLogger
    let server = HTTP3Server(
      HTTP3ServerConfiguration(
        address: "127.0.0.1", port: 0, certificatePEM: certificate.certificatePEM,
        privateKeyPEM: certificate.privateKeyPEM), logger: logger
    ) { exchange in
      do {
        try await exchange.respond(HTTPResponse(status: .ok))
        let start = ContinuousClock.now
        for number in 0..<count {
          try await Task.sleep(until: start + Self.period * number)
          try await exchange.write([0x65])
        }
        try await exchange.finish()
      } catch {
        await exchange.reset()
      }
    }
    let port = try await server.start()
    let transport = HTTP3Transport(
      origin: Origin(scheme: .https, host: "127.0.0.1", port: port),
      tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)), logger: logger)
    async let lookUps = lookUps(names)
    let events = try await events(of: transport)
    let times = try await lookUps
    await transport.close()
    await server.close()
    return ComparisonTable.Row(
      name: name,
      values: [
        events.percentile(0.5) / 1_000, events.percentile(0.99) / 1_000, events.percentile(1) / 1_000,
        times.percentile(0.5) / 1_000, times.percentile(1) / 1_000,
      ])
  }

  /// The lateness of events, by the first one's time.
  private func events(of transport: HTTP3Transport) async throws -> DispatchTimes {
    let response = try await transport.send(TransportPeer.get("/"))
    var (times, received) = (DispatchTimes(), 0)
    var start: ContinuousClock.Instant?
    for try await chunk in response.body {
      let now = ContinuousClock.now
      let begin = start ?? now
      start = begin
      for number in received..<(received + chunk.count) { times.add(now - (begin + Self.period * number), calls: 1) }
      received += chunk.count
    }
    return times
  }

  private func lookUps(_ names: ResolverUnderTest) async throws -> DispatchTimes {
    var times = DispatchTimes()
    let start = ContinuousClock.now
    for number in 0..<(seconds * 1_000 / Int(Self.period / .milliseconds(1)) / Self.lookUpEvery) {
      try await Task.sleep(until: start + Self.period * (number * Self.lookUpEvery))
      let begin = ContinuousClock.now
      _ = try await names.addresses(of: "healthy.test", timeout: .seconds(600))
      times.add(ContinuousClock.now - begin, calls: 1)
    }
    return times
  }
}
