import HTTP3Engine

/// The responses whose content is repeated beside their streams where both ends agree on it; see <doc:ContentRepeats>.
public enum RepeatedResponses: Hashable, Sendable {
  /// No responses.
  case none
  /// Streams of server-sent events: to requests that accept `text/event-stream`, and of that type.
  case eventStreams
  /// All responses to GET, except what is sent in large pieces.
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
