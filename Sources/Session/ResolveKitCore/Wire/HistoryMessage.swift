/// One element of `GET /v1/sessions/{id}/messages`.
public struct HistoryMessage: Hashable, Sendable, Codable {
  /// The backend's id of the message; its sequence number where it came without.
  public var id: String
  /// The place in the session, from 1 in the backend's count; nil where it came without.
  public var sequenceNumber: Int?
  /// `user`, `assistant`, `human_agent`; others are kept as they are.
  public var role: String
  /// The text; empty where the message has none.
  public var content: String
  /// ISO 8601 as the server wrote it, 0 to 6 fraction digits.
  public var createdAt: String?

  /// Creates a message, as a backend does.
  package init(id: String, sequenceNumber: Int? = nil, role: String, content: String, createdAt: String? = nil) {
    self.id = id
    self.sequenceNumber = sequenceNumber
    self.role = role
    self.content = content
    self.createdAt = createdAt
  }

  private enum CodingKeys: String, CodingKey {
    case id, role, content
    case sequenceNumber = "sequence_number"
    case createdAt = "created_at"
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    role = try container.decode(String.self, forKey: .role)
    content = (try? container.decodeIfPresent(String.self, forKey: .content)) ?? ""
    sequenceNumber = try? container.decodeIfPresent(Int.self, forKey: .sequenceNumber)
    id = (try? container.decodeIfPresent(String.self, forKey: .id)) ?? "\(sequenceNumber ?? 0)"
    createdAt = try? container.decodeIfPresent(String.self, forKey: .createdAt)
  }
}
