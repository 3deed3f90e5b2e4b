import HTTP3Engine

/// The responses whose content is repeated beside their streams where both ends agree on it; see <doc:ContentRepeats>.
public enum RepeatedResponses: Hashable, Sendable {
  /// Of none.
  case none
  /// Streams of server-sent events: to requests that accept `text/event-stream`, and of that type.
  case eventStreams
  /// All to GET, as far as they are thin: what is sent in large pieces is not repeated.
  case all

  /// In the engine's words; nil for none.
  var forEngine: RepeatConfiguration.Responses? {
    switch self {
    case .none: nil
    case .eventStreams: .eventStreams
    case .all: .all
    }
  }
}
