package import EventStream

/// A transport that reaches its origin at another authority when it is told to (RFC 7838 § 2).
package protocol SteerableTransport: HTTPTransport {
  /// New connections go there, or to the origin itself for nil; the server proves to be the origin all the same.
  func steer(to alternative: AlternativeService?)
}
