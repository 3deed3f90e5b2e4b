import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Posts messages to a stream's callback URL, with a client that has nothing to do with the one under test.
struct CallbackSender: Sendable {
  /// The base, to which each message's number is appended.
  let url: String

  /// The time that the harness may take for one callback.
  private static let limit = TimeAmount.seconds(30)
  /// The limit on what is read of its answers, so that connections are used again.
  private static let answerLimit = 64 << 10

  struct Refused: Error, CustomStringConvertible {
    let status: UInt
    var description: String { "The callback URL answered with status \(status)." }
  }

  /// Returns when the harness has the message; throws ``Refused``, or the client's errors.
  func send(_ message: CallbackMessage, number: Int) async throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var request = HTTPClientRequest(url: "\(url)/\(number)")
    request.method = .POST
    request.headers.add(name: "content-type", value: "application/json")
    request.body = .bytes(ByteBuffer(bytes: try encoder.encode(message)))
    let response = try await HTTPClient.shared.execute(request, timeout: Self.limit)
    _ = try await response.body.collect(upTo: Self.answerLimit)
    guard (200..<300).contains(response.status.code) else { throw Refused(status: response.status.code) }
  }
}
