import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// A client's opening handshake (RFC 6455 § 4).
struct WebSocketHandshake {
  /// Answers a client's key (RFC 6455 § 1.3).
  private static let guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// The subprotocols that the client offers.
  let subprotocols: [String]
  private let key: String

  /// Whether a request of HTTP/1.1 asks to become a WebSocket. Without `connection: upgrade` the field `upgrade` means
  /// nothing (RFC 9110 § 7.8).
  static func isRequested(by request: HTTPRequest) -> Bool {
    items(of: .connection, in: request).contains { $0.lowercased() == "upgrade" }
      && items(of: .upgrade, in: request).contains { $0.lowercased() == "websocket" }
  }

  /// Reads a request for which ``isRequested(by:)`` holds; throws the response to one that is not sound.
  init(_ request: HTTPRequest) throws(WebSocketRefusal) {
    guard request.method == .get else {
      throw WebSocketRefusal(.badRequest, "A WebSocket is asked for by GET.")
    }
    guard request.headerFields[values: .secWebSocketVersion] == ["13"] else {
      throw WebSocketRefusal(
        .upgradeRequired, "This server speaks version 13 of the WebSocket protocol.", [.secWebSocketVersion: "13"])
    }
    guard request.headerFields[.transferEncoding] == nil,
      request.headerFields[values: .contentLength].allSatisfy({ $0 == "0" })
    else { throw WebSocketRefusal(.badRequest, "A request for a WebSocket has no body.") }
    let keys = request.headerFields[values: .secWebSocketKey]
    guard keys.count == 1, let key = keys.first, Self.isKey(key) else {
      throw WebSocketRefusal(.badRequest, "The field sec-websocket-key has 16 bytes in Base64.")
    }
    self.key = key
    subprotocols = Self.items(of: .secWebSocketProtocol, in: request)
  }

  /// The fields of the response that accepts it.
  func acceptance(subprotocol: String?) -> HTTPFields {
    let digest = Data(Insecure.SHA1.hash(data: Data((key + Self.guid).utf8)))
    var fields: HTTPFields = [
      .upgrade: "websocket", .connection: "upgrade", .secWebSocketAccept: digest.base64EncodedString(),
    ]
    fields[.secWebSocketProtocol] = subprotocol
    return fields
  }

  /// The members of a field that is a list (RFC 9110 § 5.6.1).
  private static func items(of name: HTTPField.Name, in request: HTTPRequest) -> [String] {
    request.headerFields[values: name].flatMap { $0.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// Whether it is the Base64 form of 16 bytes.
  private static func isKey(_ key: String) -> Bool {
    key.utf8.count == 24 && Data(base64Encoded: key)?.count == 16
  }
}
