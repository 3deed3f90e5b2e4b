import ServiceLifecycle
import UnixSignals

/// Calls what a server reads or opens anew, at each SIGHUP.
struct ReloadService: Service {
  private let reload: @Sendable () async -> Void

  init(_ reload: @escaping @Sendable () async -> Void) {
    self.reload = reload
  }

  func run() async throws {
    for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() { await reload() }
  }
}
