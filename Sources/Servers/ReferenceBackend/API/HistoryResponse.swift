import EventLedger
import Hummingbird
import JSONService
import NIOCore
import ResolveKitCore

/// Writes a session's history as one JSON array. The contract knows no pages, so a long one is read and sent piece by
/// piece.
struct HistoryResponse: Sendable {
  let sessionID: String
  let sessions: SessionStore

  /// Messages in one read of the database.
  private static let batch = 64

  /// The first read is made before the answer begins, so that its failure has a status.
  func response() async throws -> Response {
    let first = try await messages(after: 0)
    guard first.count == Self.batch else { return .json(.array(first.map(Self.json))) }
    return Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: ResponseBody { writer in
        var messages = first
        var opening = "["
        while let last = messages.last {
          let texts = messages.map { Self.json($0).jsonText }
          try await writer.write(ByteBuffer(string: opening + texts.joined(separator: ",")))
          opening = ","
          messages = try await self.messages(after: last.sequenceNumber)
        }
        try await writer.write(ByteBuffer(string: "]"))
        try await writer.finish(nil)
      })
  }

  private func messages(after sequenceNumber: Int) async throws -> [MessageRecord] {
    try await sessions.messages(of: sessionID, after: sequenceNumber, limit: Self.batch)
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
