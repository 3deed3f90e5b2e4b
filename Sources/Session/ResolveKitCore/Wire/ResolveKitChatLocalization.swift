/// The chat's words in one locale, as `GET /v1/sessions/{id}/localization` answers them.
public struct ResolveKitChatLocalization: Hashable, Sendable, Codable {
  /// The words of a server that has none in the client's locale.
  public static let english = ResolveKitChatLocalization(
    locale: ResolveKitLocaleResolver.fallback, chatTitle: "Support Chat", messagePlaceholder: "Message",
    initialMessage: "Hello! How can I help you today?")

  /// One of ``ResolveKitLocaleResolver/supportedLocales``.
  public var locale: String
  /// The chat's heading.
  public var chatTitle: String
  /// The text of an empty composer.
  public var messagePlaceholder: String
  /// The assistant's first message in a new session; nil where it says nothing first.
  public var initialMessage: String?

  /// Creates the words of one locale, as a backend does.
  package init(locale: String, chatTitle: String, messagePlaceholder: String, initialMessage: String? = nil) {
    self.locale = locale
    self.chatTitle = chatTitle
    self.messagePlaceholder = messagePlaceholder
    self.initialMessage = initialMessage
  }

  private enum CodingKeys: String, CodingKey {
    case locale
    case chatTitle = "chat_title"
    case messagePlaceholder = "message_placeholder"
    case initialMessage = "initial_message"
  }
}

extension ResolveKitSession {
  /// The chat's words as the session came with them; nil where it came without.
  public var localization: ResolveKitChatLocalization? {
    guard let locale, let chatTitle, let messagePlaceholder else { return nil }
    return ResolveKitChatLocalization(
      locale: locale, chatTitle: chatTitle, messagePlaceholder: messagePlaceholder, initialMessage: initialMessage)
  }
}
