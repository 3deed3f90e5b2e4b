package import HTTP3Engine

extension CertificateVerifier {
  /// A verifier that judges a pinned certificate's dates by the system's time.
  package convenience init(_ trust: Trust) throws(HTTP3Error) {
    try self.init(trust) { TransportClock.continuous.secondsSince1970 }
  }
}
