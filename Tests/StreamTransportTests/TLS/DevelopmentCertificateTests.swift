import Foundation
import Glibc
import StreamTransport
import SwiftASN1
import Testing
import X509

@Suite struct DevelopmentCertificateTests {
  @Test(arguments: [DevelopmentCertificate.Key.p256, .ed25519])
  func isItsOwnAuthorityForItsHosts(key: DevelopmentCertificate.Key) throws {
    let made = try DevelopmentCertificate.make(hosts: ["localhost", "127.0.0.1", "::1"], key: key)
    let certificate = try Certificate(pemEncoded: made.certificatePEM)
    let names = try #require(try certificate.extensions.subjectAlternativeNames)
    #expect(names.count == 3)
    #expect(names.first == .dnsName("localhost"))
    let constraints = try #require(try certificate.extensions.basicConstraints)
    #expect(constraints == .isCertificateAuthority(maxPathLength: nil))
    #expect(made.privateKeyPEM.hasPrefix("-----BEGIN PRIVATE KEY-----"))
    #expect(try Certificate.PrivateKey(pemEncoded: made.privateKeyPEM).publicKey == certificate.publicKey)
    #expect(made.fingerprint.count == 32 * 3 - 1)
  }

  @Test func canBeMadeExpired() throws {
    let past = Date(timeIntervalSinceNow: -86_400)
    let made = try DevelopmentCertificate.make(notBefore: past.addingTimeInterval(-86_400), notAfter: past)
    #expect(made.notAfter < Date())
  }

  @Test(arguments: [[], [""], ["[::1]"], ["a b"]])
  func refusesWhatIsNoHost(hosts: [String]) {
    #expect(throws: DevelopmentCertificateError.self) { try DevelopmentCertificate.make(hosts: hosts) }
  }

  @Test func isKeptForItsOwnerAloneAndFoundAgain() throws {
    try withTemporaryDirectory { root in
      let directory = root + "/state/agent"
      let made = try DevelopmentCertificate.loadOrMake(in: directory)
      let again = try DevelopmentCertificate.loadOrMake(in: directory)
      #expect(made == again)
      #expect(mode(directory) == 0o700)
      #expect(mode(directory + "/private-key.pem") == 0o600)
      #expect(mode(try #require(made.certificateFile)) == 0o600)
    }
  }

  @Test(arguments: ["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
  func isMadeAgainWhenTheFileIsOfNoUse(content: String) throws {
    try withTemporaryDirectory { directory in
      let made = try DevelopmentCertificate.loadOrMake(in: directory)
      try content.write(toFile: try #require(made.certificateFile), atomically: true, encoding: .utf8)
      let renewed = try DevelopmentCertificate.loadOrMake(in: directory)
      #expect(renewed.sha256 != made.sha256)
      #expect(try DevelopmentCertificate.loadOrMake(in: directory) == renewed)
    }
  }

  @Test func isRenewedWhenExpiredOrForOtherHosts() throws {
    try withTemporaryDirectory { directory in
      let past = Date(timeIntervalSinceNow: -60)
      let expired = try DevelopmentCertificate.make(notAfter: past)
      try expired.certificatePEM.write(toFile: directory + "/certificate.pem", atomically: true, encoding: .utf8)
      try expired.privateKeyPEM.write(toFile: directory + "/private-key.pem", atomically: true, encoding: .utf8)
      let renewed = try DevelopmentCertificate.loadOrMake(in: directory)
      #expect(renewed.notAfter > Date())
      let other = try DevelopmentCertificate.loadOrMake(in: directory, hosts: ["example.test"])
      #expect(other.sha256 != renewed.sha256)
    }
  }

  private func mode(_ path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]) as? Int
  }

  private func withTemporaryDirectory(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }
}
