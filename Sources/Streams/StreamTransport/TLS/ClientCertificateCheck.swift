import HTTP3Engine

/// Judges clients' certificates for a server's other transports as HTTP/3 judges them.
package struct ClientCertificateCheck: Sendable {
  package let demand: ClientCertificatePolicy.Demand
  private let authentication: ClientAuthentication

  /// Throws ``TransportError`` where the authorities cannot be read.
  package init(_ policy: ClientCertificatePolicy) throws(TransportError) {
    demand = policy.demand
    do {
      authentication = try policy.load()
    } catch {
      throw TransportError(error)
    }
  }

  /// Accepts a client's certificates (DER, leaf first), or throws ``TransportError`` with a sentence.
  package func verify(_ chain: [[UInt8]]) throws(TransportError) {
    do {
      try authentication.verify(chain)
    } catch {
      throw TransportError(error)
    }
  }
}
