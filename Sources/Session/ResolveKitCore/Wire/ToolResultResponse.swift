/// Answer to a tool result. `deduplicated` proves only that the backend has seen the key, not that it used it.
public struct ToolResultResponse: Hashable, Sendable, Codable {
  public var status: String
  public var deduplicated: Bool

  public init(status: String = "ok", deduplicated: Bool) {
    self.status = status
    self.deduplicated = deduplicated
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    status = try container.decodeIfPresent(String.self, forKey: .status) ?? "ok"
    deduplicated = try container.decodeIfPresent(Bool.self, forKey: .deduplicated) ?? false
  }
}
