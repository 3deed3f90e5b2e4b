public import StreamTransport

extension ResolveKitRuntime {
  /// What is known of the connection, such as its round-trip time; nil while there is none.
  public func connectionSnapshot() async -> ConnectionSnapshot? {
    await driver?.transport.snapshot()
  }
}
