import Crypto
import Foundation
import SwiftASN1
import X509

extension DevelopmentCertificate {
  /// The certificate kept in `directory`, or a new one written there.
  ///
  /// A directory that is missing is made with mode 0700, `certificate.pem` and `private-key.pem` with 0600. A pair that has
  /// expired or will within a day, that does not fit together or lacks one of `hosts` is replaced. Two processes that call
  /// this at once get the same certificate. Throws ``DevelopmentCertificateError``.
  public static func loadOrMake(
    in directory: String, hosts: [String] = ["localhost", "127.0.0.1", "::1"]
  ) throws -> DevelopmentCertificate {
    do {
      // One that is there may be somebody else's business.
      if !PrivateFile.isDirectory(directory) { try PrivateFile.makeDirectory(directory) }
      return try PrivateFile.withLock("\(directory)/lock") {
        let certificateFile = "\(directory)/certificate.pem"
        let keyFile = "\(directory)/private-key.pem"
        let wanted = try SubjectNames(hosts)
        if let kept = try? load(certificateFile, keyFile, wanted) { return kept }
        var new = try make(hosts: hosts)
        try PrivateFile.write(Array(new.privateKeyPEM.utf8), to: keyFile)
        try PrivateFile.write(Array(new.certificatePEM.utf8), to: certificateFile)
        new.certificateFile = certificateFile
        return new
      }
    } catch let error as PrivateFile.Failure {
      throw DevelopmentCertificateError(
        .file, "The development certificate cannot be kept: \(error).", cause: error)
    }
  }

  /// The pair in the two files; nil where it is of no more use.
  private static func load(
    _ certificateFile: String, _ keyFile: String, _ wanted: SubjectNames
  ) throws -> DevelopmentCertificate? {
    let certificatePEM = String(decoding: try PrivateFile.read(certificateFile, limit: 64 << 10), as: UTF8.self)
    let keyPEM = String(decoding: try PrivateFile.read(keyFile, limit: 64 << 10), as: UTF8.self)
    let certificate = try Certificate(pemEncoded: certificatePEM)
    let key = try Certificate.PrivateKey(pemEncoded: keyPEM)
    let names = try certificate.extensions.subjectAlternativeNames.map { Array($0) } ?? []
    guard
      key.publicKey == certificate.publicKey,
      certificate.notValidAfter > Date(timeIntervalSinceNow: 86_400),
      wanted.generalNames.allSatisfy(names.contains)
    else { return nil }
    var kept = try DevelopmentCertificate(certificate: certificate, privateKeyPEM: keyPEM)
    kept.certificateFile = certificateFile
    return kept
  }
}
