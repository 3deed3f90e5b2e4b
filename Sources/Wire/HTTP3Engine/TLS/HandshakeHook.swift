import CQUIC

/// Judges the messages of TLS's handshake as GnuTLS (3.7.9) processes them, where it or the library (1.11) would do
/// wrong, and finds the tickets and the requests for a certificate among them.
struct HandshakeHook {
  enum Message {
    case clientHello
    case helloRetryRequest
    case encryptedExtensions
    case certificateRequest
    case certificate
    case newSessionTicket

    /// Nil for the others.
    init?(_ type: gnutls_handshake_description_t) {
      switch type {
      case GNUTLS_HANDSHAKE_CLIENT_HELLO: self = .clientHello
      case GNUTLS_HANDSHAKE_HELLO_RETRY_REQUEST: self = .helloRetryRequest
      case GNUTLS_HANDSHAKE_ENCRYPTED_EXTENSIONS: self = .encryptedExtensions
      case GNUTLS_HANDSHAKE_CERTIFICATE_REQUEST: self = .certificateRequest
      case GNUTLS_HANDSHAKE_CERTIFICATE_PKT: self = .certificate
      case GNUTLS_HANDSHAKE_NEW_SESSION_TICKET: self = .newSessionTicket
      // GnuTLS's other messages, whose constants are no closed set in Swift.
      case _: return nil
      }
    }
  }

  enum Moment {
    case beforeTaking
    case afterTaking
    case sending
  }

  enum Verdict: Equatable {
    case proceed
    /// A ticket is read next.
    case willReadTicket(allowsEarlyData: Bool)
    case didReadTicket
    /// A server continues without the early data.
    case refuseEarlyData
    /// The handshake fails; a client may connect again without its ticket.
    case retryWithoutEarlyData
    /// The handshake fails by the peer's transport parameters (RFC 9000 § 7.4).
    case malformedParameters
    /// A server's handshake fails: it cannot ask for another key exchange any more.
    case tooLateToRetry
    /// The client of a server answers with a certificate.
    case expectCertificate
    /// The handshake fails by the peer's certificates.
    case refuseCertificates(CertificateMessage.Breach)
  }

  /// Whether a client has offered early data that is not settled.
  var offersEarlyData: Bool
  /// Whether a server has begun to read early data.
  var opensEarlyData: Bool
  /// The groups that we take for the key exchange.
  var groups: [KeyExchangeGroup]

  /// - Parameter bytes: the message without its header.
  func verdict(on message: Message, _ moment: Moment, _ bytes: UnsafeRawBufferPointer) -> Verdict {
    switch (message, moment) {
    case (.newSessionTicket, .beforeTaking):
      .willReadTicket(allowsEarlyData: NewSessionTicket.allowsEarlyData(bytes))
    case (.newSessionTicket, .afterTaking): .didReadTicket
    // GnuTLS would write the second ClientHello as early data, and derive the key for that again.
    case (.helloRetryRequest, .beforeTaking): offersEarlyData ? .retryWithoutEarlyData : .proceed
    // Without transport parameters, which take effect with the keys of 1-RTT, the library asserts when it reads early data
    // (lib/ngtcp2_conn.c:8591).
    case (.helloRetryRequest, .sending): opensEarlyData ? .tooLateToRetry : .proceed
    case (.clientHello, .beforeTaking):
      if TransportParameterList.isRepetitive(in: bytes, isClientHello: true) {
        .malformedParameters
      } else {
        KeyShareList.isMissingBesideEarlyData(in: bytes, groups) ? .refuseEarlyData : .proceed
      }
    case (.encryptedExtensions, .beforeTaking):
      TransportParameterList.isRepetitive(in: bytes, isClientHello: false) ? .malformedParameters : .proceed
    case (.certificateRequest, .sending): .expectCertificate
    case (.certificate, .beforeTaking):
      CertificateMessage.breach(in: bytes).map { Verdict.refuseCertificates($0) } ?? .proceed
    case (.helloRetryRequest, .afterTaking), (.clientHello, .afterTaking), (.encryptedExtensions, .afterTaking),
      (.certificateRequest, .beforeTaking), (.certificateRequest, .afterTaking), (.certificate, .afterTaking),
      (.newSessionTicket, .sending), (.clientHello, .sending), (.encryptedExtensions, .sending),
      (.certificate, .sending):
      .proceed
    }
  }
}
