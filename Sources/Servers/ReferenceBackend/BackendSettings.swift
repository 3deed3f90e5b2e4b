public import ResolveKitCore

/// The times and limits that a backend works by.
public struct BackendSettings: Equatable, Sendable {
  /// The interval of an event stream's keep-alive comments.
  public var keepAlive: Duration
  /// The time after which an event stream ends gracefully; clients resume it.
  public var streamLifetime: Duration
  /// The lifetime of a session without a message, and of its token without renewal.
  public var sessionLifetime: Duration
  /// The time for which events are kept; ``compatibility`` decides on a cursor from before that. A session is deleted, with its
  /// messages and the requests and results that it remembers, this long after its last use, though not while it lives.
  public var retention: Duration
  /// Most event streams of one session.
  public var streamsPerSession: Int
  /// Most bytes that all event streams together hold for clients that are slow, about. Beyond it the stream that holds most
  /// is ended; its client resumes it.
  public var streamBytes: Int
  /// The limits on turns.
  public var turns: TurnLimits
  /// Whether answers are streamed as they are written; the public server sends each as one `turn_complete`.
  public var streamsText: Bool
  /// Whether clients see why a model gave no answer as the log does, its address included: for a backend whose clients
  /// are its operator's own. Others learn that chat is unavailable.
  public var explainsModelErrors: Bool
  /// Whether a rating is asked for after each answer.
  public var asksForFeedback: Bool
  /// The form of event ids.
  public var eventIDs: EventIDStyle
  /// How strictly the backend keeps to the contract where the public server does otherwise.
  public var compatibility: ContractCompatibility
  /// Origins of web pages that may ask for client tokens, such as `https://app.example`; the backend's own always may.
  public var allowedOrigins: Set<String>
  /// The colors that clients are given for a chat.
  public var theme: ResolveKitChatTheme
  /// The silence after which other backends on the same database take a backend for gone, and take over its turns.
  public var turnLease: Duration

  /// Settings; what is left out is what a production server needs.
  public init(
    keepAlive: Duration = .seconds(15), streamLifetime: Duration = .seconds(300),
    sessionLifetime: Duration = .seconds(12 * 3_600), retention: Duration = .seconds(30 * 86_400),
    streamsPerSession: Int = 64, turns: TurnLimits = TurnLimits(), streamsText: Bool = true,
    asksForFeedback: Bool = false, eventIDs: EventIDStyle = .number, compatibility: ContractCompatibility = .strict,
    allowedOrigins: Set<String> = [], theme: ResolveKitChatTheme = .default, explainsModelErrors: Bool = false,
    turnLease: Duration = .seconds(10), streamBytes: Int = 256 << 20
  ) {
    self.keepAlive = keepAlive
    self.streamLifetime = streamLifetime
    self.sessionLifetime = sessionLifetime
    self.retention = retention
    self.streamsPerSession = streamsPerSession
    self.turns = turns
    self.streamsText = streamsText
    self.explainsModelErrors = explainsModelErrors
    self.asksForFeedback = asksForFeedback
    self.eventIDs = eventIDs
    self.compatibility = compatibility
    self.allowedOrigins = allowedOrigins
    self.theme = theme
    self.turnLease = turnLease
    self.streamBytes = streamBytes
  }
}
