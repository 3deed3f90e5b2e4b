/// Answer to a tool result. `deduplicated` proves only that the backend has seen the key, not that it used it.
public struct ToolResultResponse: Hashable, Sendable, Codable {
  /// `ok` for every result that the backend has taken.
  public var status: String
  /// Whether the backend has seen the result's keys before.
  public var deduplicated: Bool

  /// Creates an answer, as a backend does.
  package init(status: String = "ok", deduplicated: Bool) {
    self.status = status
    self.deduplicated = deduplicated
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    status = try container.decodeIfPresent(String.self, forKey: .status) ?? "ok"
    deduplicated = try container.decodeIfPresent(Bool.self, forKey: .deduplicated) ?? false
  }
}
