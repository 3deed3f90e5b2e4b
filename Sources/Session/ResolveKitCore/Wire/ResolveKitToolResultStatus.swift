/// How a call ended, in the backend's words: only `success` counts as success.
public enum ResolveKitToolResultStatus: String, Hashable, Sendable, Codable {
  case success
  case error
}
