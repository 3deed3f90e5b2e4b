import Foundation
import HTTPTypes
import Hummingbird
import StreamTransport

/// The `client-cert` field, in which the end of a TLS connection passes on who its client is (RFC 9440).
///
/// Here the server itself is that end, and takes out what a client says of itself (RFC 9440 § 2.4), whether it asks for
/// certificates or not.
enum ClientCertificateField {
  private static let name = HTTPField.Name("client-cert")
  /// The other certificates of the chain, which are not passed on.
  private static let chainName = HTTPField.Name("client-cert-chain")

  /// Sets the field of a request to the certificate of its connection, in place of what the client says of it.
  static func set(_ certificate: ClientCertificate?, in request: inout HTTPRequest) {
    guard let name, let chainName else { return }
    if request.headerFields.contains(chainName) { request.headerFields[values: chainName] = [] }
    if request.headerFields.contains(name) { request.headerFields[values: name] = [] }
    // A byte sequence (RFC 8941 § 3.3.5).
    if let certificate { request.headerFields[name] = ":\(Data(certificate.der).base64EncodedString()):" }
  }

  /// The same of a request that came with its body.
  static func setting(_ certificate: ClientCertificate?, in request: Request) -> Request {
    guard certificate != nil || isIn(request.head) else { return request }
    var head = request.head
    set(certificate, in: &head)
    return Request(head: head, body: request.body)
  }

  /// The certificate that was set.
  static func certificate(in request: HTTPRequest) -> ClientCertificate? {
    guard let name, let value = request.headerFields[name], value.utf8.count > 2, value.hasPrefix(":"),
      value.hasSuffix(":"), let der = Data(base64Encoded: String(value.dropFirst().dropLast()))
    else { return nil }
    return ClientCertificate(der: Array(der))
  }

  private static func isIn(_ request: HTTPRequest) -> Bool {
    guard let name, let chainName else { return false }
    return request.headerFields.contains(name) || request.headerFields.contains(chainName)
  }
}
