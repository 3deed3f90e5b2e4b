/// The reason for which a WebSocket is closed (RFC 6455 § 7.4). Codes from 3000 to 3999 are registered by
/// libraries, from 4000 to 4999 free for applications.
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
  /// Normal closure.
  public static let normal = WebSocketCloseCode(rawValue: 1000)
  /// The server shuts down, or the client leaves its page.
  public static let goingAway = WebSocketCloseCode(rawValue: 1001)
  /// The other side broke the protocol.
  public static let protocolError = WebSocketCloseCode(rawValue: 1002)
  /// A message of an unsupported kind.
  public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
  /// A text that is not UTF-8.
  public static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
  /// Something that is not allowed here.
  public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
  /// A message over the size limit.
  public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
  /// The server cannot continue.
  public static let internalError = WebSocketCloseCode(rawValue: 1011)

  public let rawValue: UInt16

  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Whether a close frame may carry it; others stand for closes without one (RFC 6455 § 7.4.1).
  var isSendable: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    case _: false
    }
  }
}
