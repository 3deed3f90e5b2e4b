public import ResolveKitCore

/// The times and limits that a backend works by.
public struct BackendSettings: Equatable, Sendable {
  /// How often an event stream says that it lives.
  public var keepAlive: Duration
  /// How long an event stream lasts before it ends gracefully; clients resume it.
  public var streamLifetime: Duration
  /// How long a session lives without a message, and its token without renewal.
  public var sessionLifetime: Duration
  /// How long events are kept; what a cursor from before that gives is the conduct's to say. A session goes, with its
  /// messages and the requests and results that it remembers, this long after its last use, though not while it lives.
  public var retention: Duration
  /// Most event streams of one session.
  public var streamsPerSession: Int
  public var turns: TurnLimits
  /// Whether answers are streamed as they are written; the public server sends each as one `turn_complete`.
  public var streamsText: Bool
  /// Whether clients are told why a model gave no answer as the log is, its address included: for a backend whose clients
  /// are its operator's own. Others are told that chat is unavailable.
  public var explainsModelErrors: Bool
  /// Whether a rating is asked for after each answer.
  public var asksForFeedback: Bool
  /// How event ids are written.
  public var eventIDs: EventIDStyle
  public var conduct: ContractCompatibility
  /// Origins of web pages that may ask for client tokens, such as `https://app.example`; the backend's own always may.
  public var allowedOrigins: Set<String>
  public var theme: ResolveKitChatTheme
  /// How long after its last word a backend that others share a database with is taken for gone, and its turns are theirs.
  public var turnLease: Duration

  public init(
    keepAlive: Duration = .seconds(15), streamLifetime: Duration = .seconds(300),
    sessionLifetime: Duration = .seconds(12 * 3_600), retention: Duration = .seconds(30 * 86_400),
    streamsPerSession: Int = 64, turns: TurnLimits = TurnLimits(), streamsText: Bool = true,
    asksForFeedback: Bool = false, eventIDs: EventIDStyle = .number, conduct: ContractCompatibility = .strict,
    allowedOrigins: Set<String> = [], theme: ResolveKitChatTheme = .default, explainsModelErrors: Bool = false,
    turnLease: Duration = .seconds(10)
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
    self.conduct = conduct
    self.allowedOrigins = allowedOrigins
    self.theme = theme
    self.turnLease = turnLease
  }
}
