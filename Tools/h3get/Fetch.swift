import HTTPTypes
import StreamTransport

/// One request and its answer, with the times of its parts.
struct Fetch: Sendable {
  let origin: Origin
  let path: String
  let tls: TLSOptions
  let transport: FetchTransport
  var qlogDirectory: String?
  /// Whether session tickets are used and kept.
  var resumes = false
  let timeout: Duration

  struct Outcome: Sendable {
    var exitCode: Int32
    /// What went wrong, for standard error.
    var message: String?
    var report: FetchReport
  }

  /// The exit codes that the program's help tells.
  private enum Failure {
    static let answer: Int32 = 1
    static let connection: Int32 = 3
    static let certificate: Int32 = 4
  }

  func run(write: @escaping @Sendable ([UInt8]) throws -> Void) async -> Outcome {
    let fetching = Task { await perform(write) }
    let watch = Task {
      try await Task.sleep(for: timeout)
      fetching.cancel()
    }
    var outcome = await fetching.value
    watch.cancel()
    if fetching.isCancelled, outcome.exitCode != 0 {
      outcome.message =
        outcome.exitCode == Failure.connection
        ? "No \(transport.name)connection to \(origin) within \(timeout); is UDP blocked on the way?"
        : "\(origin) did not send its whole answer within \(timeout)."
    }
    return outcome
  }

  private func perform(_ write: @Sendable ([UInt8]) throws -> Void) async -> Outcome {
    let transport = self.transport.make(origin, tls, timeout: timeout, qlogDirectory: qlogDirectory, resumes: resumes)
    let clock = ContinuousClock()
    let start = clock.now
    var outcome = Outcome(exitCode: Failure.connection, report: FetchReport())
    do {
      // Begun beside the handshake, which early data does not wait for.
      async let answer = transport.send(
        HTTPRequest(method: .get, scheme: nil, authority: nil, path: path, headerFields: [.userAgent: "h3get"]))
      let info = try await transport.connect()
      outcome.exitCode = Failure.answer
      outcome.report.connection = ConnectionSnapshot(connection: info)
      let response = try await answer
      outcome.report.firstByte = clock.now - start
      outcome.report.interim = response.interimResponses.map(\.status.code)
      var count = 0
      outcome.report.bytes = 0
      for try await chunk in response.body {
        try write(chunk)
        count += chunk.count
        outcome.report.bytes = count
      }
      outcome.report.trailers = response.body.trailers
      if response.head.status.code < 400 {
        outcome.exitCode = 0
      } else {
        outcome.message = "\(origin) answered with status \(response.head.status.code)."
      }
    } catch let error as TransportError {
      if error.code == .certificateRejected { outcome.exitCode = Failure.certificate }
      outcome.message = error.description
    } catch {
      outcome.message = "\(error)"
    }
    outcome.report.total = clock.now - start
    if let snapshot = await transport.snapshot() { outcome.report.connection = snapshot }
    await transport.close()
    return outcome
  }
}
