import EventLedger
import Hummingbird
import JSONService
import NIOCore
import ResolveKitCore

/// Writes a session's history as one JSON array. The contract knows no pages, so a long one is read and sent piece by
/// piece, and what waits for a slow client is one piece.
struct HistoryResponse: Sendable {
  let sessionID: String
  let sessions: SessionStore

  /// The first read is made before the answer begins, so that its failure has a status.
  func response() async throws -> Response {
    if let whole = try await whole() { return .json(bytes: whole) }
    return Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        var piece = try await self.piece(after: nil)
        while true {
          try await writer.write(piece.bytes)
          guard let last = piece.last else { break }
          // Read once what came before is taken, so that no more than one is held.
          piece = try await self.piece(after: last)
        }
        try await writer.finish(nil)
      })
  }

  /// The array of a short history.
  private func whole() async throws -> [UInt8]? {
    try await sessions.page(of: sessionID, after: 0) { page in
      page.isLast ? JSONValue.array(page.messages.map(Self.json)).serialized() : nil
    }
  }

  /// The text of some messages behind a sequence number, with the brackets and commas that belong there, and the number of the
  /// last; nil where nothing follows.
  private func piece(after last: Int?) async throws -> (bytes: ByteBuffer, last: Int?) {
    try await sessions.page(of: sessionID, after: last ?? 0) { page in
      var bytes = ByteBuffer()
      for (place, message) in page.messages.enumerated() {
        bytes.writeString(place == 0 && last == nil ? "[" : ",")
        bytes.writeBytes(Self.json(message).serialized())
      }
      if page.isLast { bytes.writeString(last == nil && page.messages.isEmpty ? "[]" : "]") }
      return (bytes, page.isLast ? nil : page.messages.last?.sequenceNumber)
    }
  }

  private static func json(_ message: MessageRecord) -> JSONValue {
    [
      "id": .string(message.id), "session_id": .string(message.sessionID),
      "sequence_number": .number(Double(message.sequenceNumber)), "role": .string(message.role),
      "content": .string(message.content), "tool_calls": .null, "tool_call_id": .null, "token_count": .null,
      "created_at": .string(message.created.zulu),
    ]
  }
}
