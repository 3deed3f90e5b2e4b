import Dispatch
import StreamTransport
import ToolSupport

/// One run: the URLs of one server, one after the other over one connection.
struct Fetch: Sendable {
  let target: Target
  let request: RequestMessage
  let events: EventOptions
  let connection: ConnectionOptions
  let sink: Sink
  let includesFields: Bool
  let reportsTiming: Bool

  /// The first failure, or that all is done.
  func run() async -> FetchStatus {
    let stopping = Stopping()
    let signals = stopping.listen()
    defer { for signal in signals { signal.cancel() } }
    sink.whenReaderLeaves { stopping.stop(.readerLeft) }
    let (transport, http3) = connection.transport(to: target.origin)
    var status = FetchStatus.done
    var updatesKeys = connection.updatesKeys
    for resource in target.resources {
      let exchange = Exchange(
        transport: transport, http3: http3, resource: resource, request: events.complete(request), sink: sink,
        followsEvents: events.isOn, includesFields: includesFields, updatesKeys: updatesKeys)
      let outcome = await limited(exchange, stopping)
      if outcome.report.isKeyUpdated == true { updatesKeys = false }
      report(outcome)
      if status == .done { status = outcome.status }
      guard outcome.allowsMore, stopping.reason == nil else { break }
    }
    await transport.close()
    return status
  }

  /// Within the time allowed, and until a signal ends it.
  private func limited(_ exchange: Exchange, _ stopping: Stopping) async -> Exchange.Outcome {
    let watch = Task {
      try await Task.sleep(for: .seconds(connection.timeout))
      stopping.stop(.timeout)
    }
    let exchanging = Task {
      await exchange.run { watch.cancel() }
    }
    stopping.onStop { exchanging.cancel() }
    var outcome = await exchanging.value
    watch.cancel()
    guard outcome.status != .done, let reason = stopping.reason else { return outcome }
    switch reason {
    case .interrupted:
      outcome.status = .interrupted
      outcome.message = nil
    case .readerLeft:
      outcome.status = .done
      outcome.message = nil
    case .timeout: outcome.message = timeoutMessage(isConnected: outcome.isConnected)
    }
    return outcome
  }

  private func timeoutMessage(isConnected: Bool) -> String {
    let limit = Duration.seconds(connection.timeout)
    guard isConnected else {
      let kind = connection.allowsHTTP1 ? "" : "HTTP/3 "
      return "No \(kind)connection to \(target.origin) within \(limit); is UDP blocked on the way?"
    }
    return "\(target.origin) did not send its whole answer within \(limit); --timeout allows more."
  }

  private func report(_ outcome: Exchange.Outcome) {
    if let times = outcome.report.events { StandardError.write("h3get: \(times.summary)") }
    if let message = outcome.message { StandardError.write("h3get: \(message)") }
    if reportsTiming { StandardError.write(outcome.report.json) }
  }
}
