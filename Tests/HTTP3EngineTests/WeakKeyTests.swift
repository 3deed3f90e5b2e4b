import Foundation
import HTTP3Engine
import StreamTransport
import Testing

/// Certificates whose keys can be computed.
@Suite struct WeakKeyTests {
  /// Of `localhost`, signed by itself with an RSA key of 1 024 bits, good until 2099.
  private static let certificate = """
    MIIB3jCCAUegAwIBAgIBBzANBgkqhkiG9w0BAQsFADAUMRIwEAYDVQQDDAlsb2Nh
    bGhvc3QwIBcNMDAwMTAxMDAwMDAwWhgPMjA5OTAxMDEwMDAwMDBaMBQxEjAQBgNV
    BAMMCWxvY2FsaG9zdDCBnzANBgkqhkiG9w0BAQEFAAOBjQAwgYkCgYEAsTFMam0E
    u0Wsg/YWlziHWE9mdyjUyJncmykjmVOy1nvAxUigA2+TFH9eXA/VyPQCsKOB1SE/
    7QILqK4wa+qAiaY4PLOzbLixGnCRHMkpSOjmHW0BMosifxpKYrsUSkwAMZsgec/1
    CcJiyhX3cYXhc7y/GKHViVIlZNUnBs7cG28CAwEAAaM+MDwwFAYDVR0RBA0wC4IJ
    bG9jYWxob3N0MA8GA1UdEwEB/wQFMAMBAf8wEwYDVR0lBAwwCgYIKwYBBQUHAwEw
    DQYJKoZIhvcNAQELBQADgYEAkClMX+sa2XvuAIl+kWvGQ3HWZTOOA5pL/ZrBApik
    P9kcfxoDt6BgPzrakocJ6Q7Fb1CCerKc6ycKAWsJTa37lu0e2W0uVm8e9nukSJDj
    b7rLnU1JqruyqNsoTaeWcIjV6jKj2wXnbM1mQp/ildzPTgWtB3wR+hphsbp+M9LI
    p/U=
    """

  private func refusal(_ trust: CertificateVerifier.Trust) throws -> HTTP3Error? {
    let encoded = try #require(Data(base64Encoded: Self.certificate, options: .ignoreUnknownCharacters))
    let verifier = try CertificateVerifier(trust)
    do {
      try verifier.verify(chain: [Array(encoded)], host: "localhost")
      return nil
    } catch {
      return error
    }
  }

  @Test func aTrustedOneIsRefused() throws {
    let pem = "-----BEGIN CERTIFICATE-----\n\(Self.certificate)\n-----END CERTIFICATE-----\n"
    let error = try #require(try refusal(.authorities(pem: Array(pem.utf8))))
    #expect(error.code == .certificateRejected)
    #expect(error.message.contains("too weak"), "\(error.message)")
  }

  @Test func aPinnedOneIsRefused() throws {
    let digest: [UInt8] = [
      0x5c, 0x62, 0x54, 0xa6, 0xc5, 0x5d, 0x0b, 0xe7, 0xfb, 0x5d, 0x94, 0xdb, 0xb7, 0xc5, 0x7d, 0x22,
      0xc5, 0x94, 0xed, 0x62, 0xcd, 0x19, 0x1e, 0xd2, 0xa3, 0x00, 0xcf, 0x80, 0xc4, 0xc0, 0x27, 0xc0,
    ]
    let error = try #require(try refusal(.pinned(sha256: digest)))
    #expect(error.code == .certificateRejected)
    #expect(error.message.contains("too weak"), "\(error.message)")
  }
}
