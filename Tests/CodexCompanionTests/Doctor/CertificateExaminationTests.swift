import Foundation
import StreamTransport
import Testing

@testable import CodexCompanion

@Suite struct CertificateExaminationTests {
  private let folder: TemporaryFolder
  private let now = Date(timeIntervalSince1970: 1_795_000_000)

  init() throws { folder = try TemporaryFolder() }

  private func write(
    hosts: [String] = ["desk.example", "192.0.2.1"], from: Double = -1, until: Double = 60, keyMode: Int = 0o600
  ) throws {
    let made = try DevelopmentCertificate.make(
      hosts: hosts, notBefore: now.addingTimeInterval(from * 86_400), notAfter: now.addingTimeInterval(until * 86_400))
    try folder.write(made.certificatePEM, to: "c.pem")
    try folder.write(made.privateKeyPEM, to: "k.pem", mode: keyMode)
  }

  private func findings(isOurs: Bool = false, host: String? = "desk.example") -> [DoctorFinding] {
    CertificateExamination(
      chain: folder.file("c.pem"), privateKey: folder.file("k.pem"), isOurs: isOurs, host: host
    ).findings(at: now)
  }

  @Test(
    arguments: [
      (-1, 60, DoctorFinding.Verdict.good), (-1, 13.9, .warning), (-1, 14.1, .good), (-5, -0.1, .problem),
      (0.1, 60, .problem),
    ] as [(Double, Double, DoctorFinding.Verdict)])
  func itsTimeIsJudged(from: Double, until: Double, verdict: DoctorFinding.Verdict) throws {
    try write(from: from, until: until)
    #expect(findings().map(\.verdict) == [verdict])
  }

  /// The companion replaces its own, so that an end is no failure: devices that pinned it have to know.
  @Test func theDevelopmentCertificateIsMadeAgain() throws {
    #expect(findings(isOurs: true).map(\.verdict) == [.good])
    try write(hosts: ["old.example"], until: -1)
    let expired = findings(isOurs: true)
    #expect(expired.map(\.verdict) == [.warning] && expired[0].remedy?.contains("anew") == true)
  }

  @Test(arguments: [
    ("desk.example", true), ("DESK.example", true), ("192.0.2.1", true), ("192.0.2.2", false), ("a.net.example", true),
    ("a.b.net.example", false), ("net.example", false), (".net.example", false), ("", false),
  ])
  func itIsForTheNameInThePairingCode(host: String, isCovered: Bool) throws {
    try write(hosts: ["desk.example", "192.0.2.1", "*.net.example"])
    #expect(findings(host: host).map(\.verdict) == (isCovered ? [.good] : [.good, .problem]))
  }

  @Test func whatCannotBeReadIsReported() throws {
    try write()
    let good = try folder.text("k.pem")
    try folder.write("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", to: "k.pem")
    #expect(findings().map(\.verdict) == [.problem])
    try folder.write(try DevelopmentCertificate.make().privateKeyPEM, to: "k.pem")
    #expect(findings().map(\.sentence) == ["'\(folder.file("k.pem"))' is not the key of '\(folder.file("c.pem"))'."])
    for text in ["", "x", good, "-----BEGIN CERTIFICATE-----\n%%%\n-----END CERTIFICATE-----\n"] {
      try folder.write(text, to: "c.pem")
      #expect(findings().map(\.verdict) == [.problem], "\(text)")
    }
    try FileManager.default.removeItem(atPath: folder.file("c.pem"))
    #expect(findings().map(\.verdict) == [.problem])
  }

  @Test func aKeyThatOthersMayReadIsReported() throws {
    try write(keyMode: 0o644)
    #expect(findings().map(\.verdict) == [.good, .warning])
    // A group of its own, as distributions keep keys for servers.
    try write(keyMode: 0o640)
    #expect(findings().map(\.verdict) == [.good])
  }
}
