import Logging
import StreamTransport

/// An event-source client under test, which reports all that it sees, one message after the other.
final class ContractStream: Sendable {
  /// Takes a message and its number, from 1, and returns when it has arrived.
  typealias Deliver = @Sendable (CallbackMessage, _ number: Int) async throws -> Void

  private let transport: any HTTPTransport
  private let updates: EventSourceUpdates.Iterator
  private let reader: Task<Void, Never>

  /// Begins at once.
  ///
  /// - Parameter transport: is this stream's alone.
  init(
    _ parameters: StreamParameters, over transport: any HTTPTransport, clock: TransportClock = .continuous,
    logger: Logger, deliver: @escaping Deliver
  ) {
    self.transport = transport
    var configuration = parameters.configuration
    configuration.clock = clock
    let request = parameters.request
    let updates = EventSourceClient(transport: transport, configuration: configuration, logger: logger)
      .updates { _ in request }.makeAsyncIterator()
    self.updates = updates
    reader = Task { await Self.follow(updates, logger, deliver) }
  }

  /// Has the client open its stream again, at once.
  func restart() async {
    await updates.restart()
  }

  /// Ends the client; it reports nothing once this returns.
  func close() async {
    reader.cancel()
    await reader.value
    await transport.close()
  }

  /// Returns when the client has ended.
  func end() async {
    await reader.value
  }

  private static func follow(_ updates: EventSourceUpdates.Iterator, _ logger: Logger, _ deliver: Deliver) async {
    var updates = updates
    var number = 0
    func send(_ message: CallbackMessage) async throws {
      number += 1
      try await deliver(message, number)
    }
    do {
      do {
        while let update = try await updates.next() {
          if let message = CallbackMessage(update) { try await send(message) }
        }
      } catch let error as EventSourceError {
        try await send(.error(error.description))
      }
    } catch is CancellationError {
      // The harness is done with it.
    } catch {
      // Without this message the harness would wait for its number in vain.
      if !Task.isCancelled {
        logger.warning("the stream ends: the harness took no callback", metadata: ["error": "\(error)"])
      }
    }
  }
}
