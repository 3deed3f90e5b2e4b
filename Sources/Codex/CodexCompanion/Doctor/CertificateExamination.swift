import Foundation
import Glibc
import StreamTransport
import SwiftASN1
import X509

/// Whether a certificate and its key can be shown to devices, for how long, and under which name.
struct CertificateExamination {
  /// The rest of a certificate's lifetime at which it should be renewed, in days.
  static let notice = 14

  private let chain: String
  private let privateKey: String
  /// Whether it is the development certificate, which the companion makes and replaces by itself.
  private let isOurs: Bool
  private let host: String?

  init(chain: String, privateKey: String, isOurs: Bool, host: String?) {
    self.chain = chain
    self.privateKey = privateKey
    self.isOurs = isOurs
    self.host = host
  }

  func findings(at now: Date) -> [DoctorFinding] {
    if isOurs, access(chain, F_OK) != 0 {
      return [.good(.certificate, "The first start makes a development certificate, which the pairing code pins.")]
    }
    let leaf: Certificate
    let key: Certificate.PrivateKey
    do throws(Unreadable) {
      leaf = try Self.leaf(chain)
      key = try Self.key(privateKey)
    } catch {
      return [.problem(.certificate, error.sentence, remedy: isOurs ? Self.anew : error.remedy)]
    }
    guard key.publicKey == leaf.publicKey else {
      return [
        .problem(
          .certificate, "'\(privateKey)' is not the key of '\(chain)'.",
          remedy: isOurs ? Self.anew : "Name the key that the certificate was made for; the chain has it first.")
      ]
    }
    return [validity(of: leaf, at: now)] + privacy + names(of: leaf)
  }

  private static let anew =
    "Remove both files: the next start makes new ones. Devices of our own have to be paired anew then."

  private struct Unreadable: Error {
    let sentence: String
    let remedy: String
  }

  private static func leaf(_ path: String) throws(Unreadable) -> Certificate {
    let text = try text(path)
    do {
      guard let document = try PEMDocument.parseMultiple(pemString: text).first else {
        throw Unreadable(
          sentence: "'\(path)' has no certificate in it.", remedy: "Name a chain in PEM, the leaf first.")
      }
      return try Certificate(pemDocument: document)
    } catch let error as Unreadable {
      throw error
    } catch {
      throw Unreadable(
        sentence: "'\(path)' is no certificate in PEM.", remedy: "Name a chain in PEM, the leaf first.")
    }
  }

  private static func key(_ path: String) throws(Unreadable) -> Certificate.PrivateKey {
    let text = try text(path)
    do {
      return try Certificate.PrivateKey(pemEncoded: text)
    } catch {
      // Nothing of the file is shown: it may hold a key all the same.
      throw Unreadable(
        sentence: "'\(path)' is no private key in PEM that is not encrypted.",
        remedy: "openssl pkey -in KEY -out NEW writes one.")
    }
  }

  private static func text(_ path: String) throws(Unreadable) -> String {
    do {
      return String(decoding: try PrivateFile.read(path, limit: 1 << 20), as: UTF8.self)
    } catch {
      throw Unreadable(
        sentence: "\(error).", remedy: "Give the file to the user of the companion: ls -l '\(path)' shows whose it is.")
    }
  }

  private func validity(of leaf: Certificate, at now: Date) -> DoctorFinding {
    let end = leaf.notValidAfter
    let day = end.formatted(.iso8601.year().month().day())
    if leaf.notValidBefore > now {
      return .problem(
        .certificate, "'\(chain)' is not valid yet.", remedy: "Look whether this machine's clock is right: date")
    }
    // The companion itself replaces its own a day before the end.
    let isReplaced = isOurs && end <= now.addingTimeInterval(86_400)
    if end <= now, !isReplaced {
      return .problem(.certificate, "'\(chain)' expired on \(day).", remedy: "Renew it, and restart the companion.")
    }
    guard isReplaced || end <= now.addingTimeInterval(Double(Self.notice) * 86_400) else {
      return .good(.certificate, "'\(chain)' is valid until \(day).")
    }
    return .warning(
      .certificate, "'\(chain)' is valid until \(day).",
      remedy: isOurs
        ? "The next start after that makes a new one: pair the devices that pinned it anew."
        : "Renew it, and restart the companion.")
  }

  private var privacy: [DoctorFinding] {
    var status = stat()
    guard stat(privateKey, &status) == 0, status.st_mode & 0o007 != 0 else { return [] }
    return [
      .warning(
        .certificate, "'\(privateKey)' may be read or changed by every user here.",
        remedy: "chmod o= '\(privateKey)', and renew the key if others use this machine.")
    ]
  }

  /// The development certificate is made again for other names.
  private func names(of leaf: Certificate) -> [DoctorFinding] {
    guard !isOurs, let host, !Self.covers(leaf, host) else { return [] }
    return [
      .problem(
        .certificate, "'\(chain)' is not for '\(host)', which devices connect to.",
        remedy: "Name one of the certificate's own names by --host first.")
    ]
  }

  static func covers(_ leaf: Certificate, _ host: String) -> Bool {
    guard let names = try? leaf.extensions.subjectAlternativeNames else { return false }
    let host = host.lowercased()
    let address = SocketText.bytes(host)
    return names.contains { name in
      switch name {
      case .dnsName(let pattern): address == nil && matches(pattern.lowercased(), host)
      case .ipAddress(let octets): address.map { octets.bytes.elementsEqual($0) } == true
      default: false
      }
    }
  }

  /// A star stands for the first label alone (RFC 6125 § 6.4.3).
  private static func matches(_ pattern: String, _ host: String) -> Bool {
    guard pattern.hasPrefix("*.") else { return pattern == host }
    guard let dot = host.firstIndex(of: "."), dot > host.startIndex else { return false }
    return host[dot...] == pattern.dropFirst()
  }
}
