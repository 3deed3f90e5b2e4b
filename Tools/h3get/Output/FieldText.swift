import HTTPTypes
import StreamTransport

/// The fields of messages as `--include` shows them.
enum FieldText {
  static func text(of response: TransportResponse) -> String {
    (response.interimResponses + [response.head]).map { head in
      "\(version(response.connection.transport)) \(head.status.code)\n\(lines(head.headerFields))\n"
    }.joined()
  }

  /// - Parameter lastByte: the body's, which a line of its own has to end.
  static func text(ofTrailers trailers: HTTPFields, after lastByte: UInt8?) -> String {
    (lastByte.map { $0 == UInt8(ascii: "\n") } ?? true ? "" : "\n") + "\n" + lines(trailers)
  }

  private static func version(_ transport: TransportKind) -> String {
    switch transport {
    case .http3: "HTTP/3"
    case .http1: "HTTP/1.1"
    }
  }

  private static func lines(_ fields: HTTPFields) -> String {
    fields.map { "\($0.name.canonicalName): \($0.value)\n" }.joined()
  }
}
