/// The end of a call, in the backend's words: only `success` counts as success.
public enum ResolveKitToolResultStatus: String, Hashable, Sendable, Codable {
  /// The tool returned a value.
  case success
  /// The tool threw, was declined, timed out or could not be run.
  case error
}
