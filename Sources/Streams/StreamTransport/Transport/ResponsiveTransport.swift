/// A transport that responds to its callers' observations of its connection.
///
/// Apart from ``HTTPTransport``, so that a conformer outside this package has nothing to implement here.
package protocol ResponsiveTransport: HTTPTransport {
  /// Sends no further request over the current connection, which seems dead; what runs on it continues.
  func retireConnection() async

  /// Tells whether more of an open response is expected, such as an answer in the making; the last call counts. While it
  /// is, a path that fell silent is noticed within seconds.
  func setResponseExpected(_ isExpected: Bool)

  /// Returns when the next request would use a connection that serves better than `connection`; a long response may
  /// then be asked for again. Throws `CancellationError`.
  func improvement(over connection: ConnectionInfo) async throws
}

extension ResponsiveTransport {
  /// Does nothing, which fits transports whose requests each have a connection of their own.
  package func retireConnection() async {}

  /// Does nothing, which fits transports that cannot ask about silence.
  package func setResponseExpected(_ isExpected: Bool) {}

  /// Waits until it is cancelled, which fits transports that know one path only.
  package func improvement(over connection: ConnectionInfo) async throws {
    try await OneShot<Void>().value()
  }
}

extension HTTPTransport {
  /// ``ResponsiveTransport/retireConnection()``, or nothing where the transport does not respond.
  package func retireConnection() async {
    await (self as? any ResponsiveTransport)?.retireConnection()
  }

  /// ``ResponsiveTransport/setResponseExpected(_:)``, or nothing where the transport does not respond.
  package func setResponseExpected(_ isExpected: Bool) {
    (self as? any ResponsiveTransport)?.setResponseExpected(isExpected)
  }

  /// ``ResponsiveTransport/improvement(over:)``; waits until it is cancelled where the transport does not respond.
  package func improvement(over connection: ConnectionInfo) async throws {
    guard let responsive = self as? any ResponsiveTransport else { return try await OneShot<Void>().value() }
    try await responsive.improvement(over: connection)
  }
}
