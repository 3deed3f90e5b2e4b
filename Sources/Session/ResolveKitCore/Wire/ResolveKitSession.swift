/// A session as `POST /v1/sessions` answers it. Only what a client cannot do without is required.
public struct ResolveKitSession: Hashable, Sendable, Codable {
  /// The session's id, a UUID.
  public var id: String
  /// The app that the key belongs to, a UUID.
  public var appID: String?
  /// The device that the session was created for; nil means that it is never reused.
  public var deviceID: String?
  /// The names of the tools that the session may call.
  public var availableFunctionNames: [String]?
  /// The session's locale, one of ``ResolveKitLocaleResolver/supportedLocales``.
  public var locale: String?
  /// The chat's heading in that locale.
  public var chatTitle: String?
  /// The text of an empty text field in that locale.
  public var messagePlaceholder: String?
  /// The assistant's first message in that locale; the history of a new session has it as well.
  public var initialMessage: String?
  /// `active`, or another word for a session that takes no messages, such as `escalated`.
  public var status: String?
  /// ISO 8601 as the server wrote it, 0 to 6 fraction digits.
  public var lastActivityAt: String?
  /// ISO 8601 as the server wrote it, 0 to 6 fraction digits.
  public var createdAt: String?
  /// A path, not a URL: joined to the base URL, whose own path is kept.
  public var eventsURL: String
  /// Secret; never logged.
  public var chatCapabilityToken: String
  /// Whether this is an earlier session of the same device, with its history.
  public var reusedActiveSession: Bool

  /// Creates a session from what a client has kept of one, or a test has made up; all other properties are nil.
  public init(id: String, eventsURL: String, chatCapabilityToken: String, reusedActiveSession: Bool = false) {
    self.id = id
    self.eventsURL = eventsURL
    self.chatCapabilityToken = chatCapabilityToken
    self.reusedActiveSession = reusedActiveSession
  }

  private enum CodingKeys: String, CodingKey {
    case id, locale, status
    case appID = "app_id"
    case deviceID = "device_id"
    case availableFunctionNames = "available_function_names"
    case chatTitle = "chat_title"
    case messagePlaceholder = "message_placeholder"
    case initialMessage = "initial_message"
    case lastActivityAt = "last_activity_at"
    case createdAt = "created_at"
    case eventsURL = "events_url"
    case chatCapabilityToken = "chat_capability_token"
    case reusedActiveSession = "reused_active_session"
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    chatCapabilityToken = try container.decode(String.self, forKey: .chatCapabilityToken)
    eventsURL = try container.decodeIfPresent(String.self, forKey: .eventsURL) ?? "/v1/sessions/\(id)/events"
    reusedActiveSession = try container.decodeIfPresent(Bool.self, forKey: .reusedActiveSession) ?? false
    appID = try? container.decodeIfPresent(String.self, forKey: .appID)
    deviceID = try? container.decodeIfPresent(String.self, forKey: .deviceID)
    availableFunctionNames = try? container.decodeIfPresent([String].self, forKey: .availableFunctionNames)
    locale = try? container.decodeIfPresent(String.self, forKey: .locale)
    chatTitle = try? container.decodeIfPresent(String.self, forKey: .chatTitle)
    messagePlaceholder = try? container.decodeIfPresent(String.self, forKey: .messagePlaceholder)
    initialMessage = try? container.decodeIfPresent(String.self, forKey: .initialMessage)
    status = try? container.decodeIfPresent(String.self, forKey: .status)
    lastActivityAt = try? container.decodeIfPresent(String.self, forKey: .lastActivityAt)
    createdAt = try? container.decodeIfPresent(String.self, forKey: .createdAt)
  }
}

extension ResolveKitSession: CustomStringConvertible, CustomDebugStringConvertible {
  /// Without the token, so that a session may be logged.
  public var description: String { "session \(id)\(reusedActiveSession ? " (reused)" : "")" }
  public var debugDescription: String { description }
}
