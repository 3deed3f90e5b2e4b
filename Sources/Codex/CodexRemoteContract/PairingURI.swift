import Foundation
import ResolveKitCore

/// The text of a pairing's QR code: `codexremote://pair?…`.
///
/// The parameters are those of the public client, and one more where a certificate is to be pinned.
package struct PairingURI: Hashable, Sendable {
  package enum Scheme: String, Hashable, Sendable {
    case http
    case https
  }

  /// The reason for which a text is no such URI, in a sentence.
  package struct Fault: Error, CustomStringConvertible, Sendable {
    package let description: String
  }

  /// The longest text that is read, in bytes.
  package static let maximumLength = 1_024
  private static let start = "codexremote://pair?"
  private static let defaultPort = 8_787
  private static let maximumID = 200
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  package let scheme: Scheme
  /// A name or an IP address, that of version 6 without brackets.
  package let host: String
  package let port: Int
  package let pairingID: String
  package let nonce: String
  /// SHA-256 of the server's certificate, in 64 lower-case hexadecimal digits; nil for what public clients take.
  package let fingerprint: String?

  package init(scheme: Scheme, host: String, port: Int, pairingID: String, nonce: String, fingerprint: String?) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.pairingID = pairingID
    self.nonce = nonce
    self.fingerprint = fingerprint
  }

  package var text: String {
    var parameters = [
      ("scheme", scheme.rawValue), ("host", host), ("port", String(port)), ("pairingId", pairingID), ("nonce", nonce),
    ]
    if let fingerprint { parameters.append(("fingerprint", fingerprint)) }
    return Self.start
      + parameters.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "")" }
      .joined(separator: "&")
  }

  /// Reads a text; throws ``Fault`` for another than such a URI, with a parameter that is not known among them: what it
  /// would ask for is not known either. No input traps.
  package init(parsing text: String) throws(Fault) {
    guard text.utf8.count <= Self.maximumLength, text.hasPrefix(Self.start) else {
      throw Fault(description: "This is no code for pairing: it doesn't begin with '\(Self.start)', or is too long.")
    }
    var parameters = try Self.parameters(text.dropFirst(Self.start.count))
    guard let scheme = Scheme(rawValue: parameters.removeValue(forKey: "scheme") ?? Scheme.https.rawValue) else {
      throw Self.fault("scheme", "http or https")
    }
    self.scheme = scheme
    let isHost = { (text: String) in text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") } }
    host = try Self.take("host", from: &parameters, "a name or an IP address") {
      (1...253).contains($0.utf8.count) && isHost($0)
    }
    let portText = parameters.removeValue(forKey: "port") ?? String(Self.defaultPort)
    guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(portText),
      (1...65_535).contains(port)
    else { throw Self.fault("port", "a number from 1 to 65535") }
    self.port = port
    pairingID = try Self.take("pairingId", from: &parameters, "an id") {
      (1...Self.maximumID).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
    nonce = try Self.take("nonce", from: &parameters, "hexadecimal digits") { Self.isHexadecimal($0, digits: 32) }
    fingerprint =
      parameters["fingerprint"] == nil
      ? nil
      : try Self.take("fingerprint", from: &parameters, "a SHA-256 in hexadecimal digits") {
        Self.isHexadecimal($0, digits: 64)
      }
    if let other = parameters.keys.min() {
      throw Fault(
        description: "The pairing code has a parameter that is not known: \(String(other.prefix(40)).visible).")
    }
  }

  private static func isHexadecimal(_ text: String, digits: Int) -> Bool {
    let known = Array("0123456789abcdef".utf8)
    return text.utf8.count == digits && text.utf8.allSatisfy(known.contains)
  }

  private static func parameters(_ query: Substring) throws(Fault) -> [String: String] {
    var result: [String: String] = [:]
    for part in query.split(separator: "&", omittingEmptySubsequences: false) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(pair[0])
      guard pair.count == 2, let value = String(pair[1]).removingPercentEncoding, result[name] == nil else {
        throw Fault(description: "The pairing code has a parameter that is broken, or given twice.")
      }
      result[name] = value
    }
    return result
  }

  private static func take(
    _ name: String, from parameters: inout [String: String], _ expected: String, where isValid: (String) -> Bool
  ) throws(Fault) -> String {
    guard let value = parameters.removeValue(forKey: name), isValid(value) else { throw fault(name, expected) }
    return value
  }

  private static func fault(_ name: String, _ expected: String) -> Fault {
    Fault(description: "The pairing code's '\(name)' has to be \(expected).")
  }
}
