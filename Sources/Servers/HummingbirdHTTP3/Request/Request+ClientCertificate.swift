public import HummingbirdCore
public import StreamTransport

extension Request {
  /// The certificate by which the client's connection has proved who it is; nil where
  /// ``MultiProtocolConfiguration/clientCertificates`` asks for none, or only requests one and the client has none.
  ///
  /// It stands in the request's `client-cert` field (RFC 9440), from which each call reads it anew. A client of a
  /// ``MultiProtocolServer`` cannot set the field: the server takes out what a client says of itself, and a
  /// `client-cert-chain` field too, over all protocols. So a gateway that ends the clients' TLS in front of this server
  /// has to pass their certificates on in a field of another name.
  ///
  /// Do not believe it in a request that another server has read, such as Hummingbird's own `Application`: that one
  /// leaves in what its client says.
  public var clientCertificate: ClientCertificate? { ClientCertificateField.certificate(in: head) }
}

extension WebSocketRequest {
  /// The certificate by which the client has proved who it is, as a request's.
  public var clientCertificate: ClientCertificate? { ClientCertificateField.certificate(in: head) }
}
