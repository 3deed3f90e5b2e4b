package import ArgumentParser
package import HummingbirdHTTP3
package import Logging
import Processes
import StreamTransport
import Synchronization

/// What systemd, or a service manager that does as it does, gives a server, and is told by it.
///
/// Without one there are no sockets, and nobody is told.
package final class Supervision: Sendable {
  /// The open sockets to serve in place of the options' address; nil where none were passed.
  package let sockets: InheritedSockets?
  private let notices: ServiceNotices?
  private let watchdogTime: Duration?
  private let logger: Logger
  private let isReady = Atomic<Bool>(false)

  /// Takes what this process was given, once, and removes it from the environment: the first thing that a command does.
  ///
  /// Throws a usage error for what cannot be served, as another start would not help.
  package static func take(_ logger: Logger) throws(ValidationError) -> Supervision {
    do {
      return try Supervision(try ServiceEnvironment.take(), logger)
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// Throws ``TransportError`` or ``MultiProtocolError`` for descriptors that cannot be served.
  init(_ environment: ServiceEnvironment, _ logger: Logger) throws {
    let sockets = try environment.descriptors.map { try InheritedSocket(taking: $0.number) }
    self.sockets = sockets.isEmpty ? nil : try InheritedSockets(sockets)
    notices = ServiceNotices(environment.noticeAddress)
    watchdogTime = environment.watchdogTime
    self.logger = logger
  }

  /// The address that is served: the one of the options, unless sockets were passed.
  package func address(instead option: String) -> String { sockets?.address ?? option }

  /// Whether a service manager is told, and may so ask for a reload where there is nothing to read anew.
  var isTold: Bool { notices != nil }

  func ready(_ status: String) {
    isReady.store(true, ordering: .relaxed)
    tell(.ready(status))
  }

  func reload(_ body: () async -> Void) async {
    // Before that, a manager would take the end of a reload for the end of the start.
    let isKnown = isReady.load(ordering: .relaxed)
    if isKnown { tell(.reloading(since: ServiceNotices.microseconds)) }
    await body()
    if isKnown { tell(.ready("serving; files were read anew")) }
  }

  func stopping() { tell(.stopping) }

  /// Gives signs of life until it is cancelled, twice in the time in which one is due: each once all threads that serve
  /// have come to a turn. Nil where nobody waits for them.
  func watch() -> Task<Void, Never>? {
    guard notices != nil, let watchdogTime else { return nil }
    return Task {
      while !Task.isCancelled {
        await ServingThreads.takeTurns()
        tell(.alive)
        try? await Task.sleep(for: watchdogTime / 2)
      }
    }
  }

  private func tell(_ notice: ServiceNotices.Notice) {
    do {
      try notices?.send(notice)
    } catch {
      logger.warning("\(error)")
    }
  }
}
