import Observation
import ResolveKitCore

/// The chat's locale and its words in it.
@MainActor
@Observable
final class RuntimeWords {
  private(set) var locale: String
  private(set) var title = ResolveKitChatLocalization.english.chatTitle
  private(set) var placeholder = ResolveKitChatLocalization.english.messagePlaceholder

  init(locale: String) {
    self.locale = locale
  }

  /// Chooses a locale; the words stay until the server has given others.
  func choose(_ locale: String) { self.locale = locale }

  func show(_ localization: ResolveKitChatLocalization) {
    locale = localization.locale
    title = localization.chatTitle
    placeholder = localization.messagePlaceholder
  }
}
