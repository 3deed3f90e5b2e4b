import ResolveKitSession
public import StreamTransport

extension ResolveKitRuntime {
  /// A snapshot of the connection, such as its round-trip time; nil while there is none.
  public func connectionSnapshot() async -> ConnectionSnapshot? {
    await driver?.transport.snapshot()
  }

  /// Whether the connection was given up; known here before the update that reports it.
  package var isOver: Bool {
    get async {
      switch await driver?.connectionState {
      case .failed, .blocked: true
      case .idle, .registering, .connecting, .active, .reconnected, .reconnecting, nil: false
      }
    }
  }
}
