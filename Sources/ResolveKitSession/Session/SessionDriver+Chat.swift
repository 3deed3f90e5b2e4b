import Foundation
import Logging
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// What a chat shows beside its turns: its words, its colours, and the people at the other end.
extension SessionDriver {
  /// Most messages of a history that are remembered as shown.
  private static let shownLimit = 4096

  var locale: String { configuration.resolvedLocale(chosenLocale) }

  /// As the contract takes them: at most 20.
  var preferredLocales: [String]? {
    configuration.preferredLocalesProvider.map { Array($0().filter { $0.utf8.count <= 255 }.prefix(20)) }
  }

  /// What was bound to the session before is over.
  func leaveSession() {
    renewal?.cancel()
    renewal = nil
    shownMessages = []
    escalatedSession = nil
    heldRefusal = nil
    withdrawFeedback()
    feedback = FeedbackPrompt()
  }

  /// Shows what a session comes with. A session that was taken up again has its first message in its history.
  func greet(_ session: ResolveKitSession) {
    if let localization = session.localization {
      hub.send(.localized(localization))
    } else {
      start { await $0.loadLocalization() }
    }
    guard !session.reusedActiveSession, let text = session.initialMessage, !text.isEmpty else { return }
    hub.send(.message(ResolveKitChatMessage(id: "initial-\(session.id)", role: .assistant, text: text)))
  }

  /// Another locale for the rest of the conversation; nil for the configuration's.
  package func useLocale(_ locale: String?) async {
    chosenLocale = locale
    await loadLocalization()
  }

  /// Tells the server the locale, and shows its words; a server without them leaves those that are shown.
  func loadLocalization() async {
    guard let session else { return }
    let locale = locale
    do {
      let localization = try await api.localization(locale, session: session)
      guard locale == self.locale else { return }
      sentContext?.locale = locale
      hub.send(.localized(localization))
    } catch {
      logger.info("the chat's words in \(locale) can't be had: \(error)")
      hub.send(.note("the chat's words in \(locale) can't be had: \(Self.failure(error))"))
    }
  }

  /// No failure of this stands in a conversation's way.
  func loadTheme() async {
    do {
      hub.send(.themed(try await api.chatTheme()))
    } catch {
      logger.info("the chat keeps the default colours: \(error)")
    }
  }

  func remember(_ messageID: String) {
    if shownMessages.count >= Self.shownLimit { shownMessages = [] }
    shownMessages.insert(messageID)
  }

  /// A person's message, unless the history has shown it already.
  func showHuman(_ messageID: String?, _ text: String) {
    if let messageID {
      guard !shownMessages.contains(messageID) else { return }
      remember(messageID)
    }
    hub.send(.message(ResolveKitChatMessage(id: messageID ?? newID(), role: .humanAgent, text: text)))
  }
}
