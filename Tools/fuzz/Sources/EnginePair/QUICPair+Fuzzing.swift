package import HTTP3Engine

extension QUICPair {
  /// A pair with a certificate for `localhost` that was made once, so that an input gives the same packets in every run.
  /// Its key protects nothing.
  package static func fuzzed(
    _ seed: UInt64, client changeClient: (inout ConnectionConfiguration) -> Void = { _ in },
    server changeServer: (inout ConnectionConfiguration) -> Void = { _ in }
  ) throws -> QUICPair {
    let verifier = try CertificateVerifier(.authorities(pem: Array(certificate.utf8)))
    var client = ClientConfiguration(host: "localhost", verifier: verifier)
    changeClient(&client.connection)
    var server = ServerConfiguration(
      credentials: try ServerCredentials(
        certificateChainPEM: Array(certificate.utf8), privateKeyPEM: Array(key.utf8)))
    changeServer(&server.connection)
    return try QUICPair(seed: seed, client: client, server: server)
  }

  private static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBfDCCAS6gAwIBAgIUehSjmcKfd1uFwa5JMxiBue+3Oy4wBQYDK2VwMBQxEjAQ
    BgNVBAMMCWxvY2FsaG9zdDAgFw0yNjExMjExMzQ2NDZaGA8yMTI2MTAyODEzNDY0
    NlowFDESMBAGA1UEAwwJbG9jYWxob3N0MCowBQYDK2VwAyEAX+GW6biDnFxb41Kp
    lhVoiVsNlhVqUWm4ezFuZoPkr5mjgY8wgYwwHQYDVR0OBBYEFJzVI58aW7iVuxXO
    4Vr/g6S2ubAuMB8GA1UdIwQYMBaAFJzVI58aW7iVuxXO4Vr/g6S2ubAuMBQGA1Ud
    EQQNMAuCCWxvY2FsaG9zdDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIC
    hDATBgNVHSUEDDAKBggrBgEFBQcDATAFBgMrZXADQQCWEQq8nKoeTXZ2Io0vL9u5
    mRhzDy6zQO0mLs/wZmr0i6TORNDB9ipQryN9ZUmlLdGfI1jtba1pUU+zZ9shEQ0L
    -----END CERTIFICATE-----

    """

  private static let key = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEII6iWU28mehOeuJ9/0zJd0crWNj7uW3BnMlxB0YA7213
    -----END PRIVATE KEY-----

    """
}
