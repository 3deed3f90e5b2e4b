import Logging
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// A session that a person has taken over. Public servers answer its stream with 410 from then on, although the person
/// goes on writing: so the history is read instead, until the user writes, which begins a new session.
extension SessionDriver {
  /// How often the history of such a session is read.
  static let historyInterval = Duration.seconds(15)

  func escalate(_ reason: String) {
    escalatedSession = session?.id
    hub.send(.escalated(reason: reason))
  }

  /// Whether the refusal is of an escalated session; its history is read from now on, in the stream's task.
  func follows(_ failure: RequestFailure, generation: Int) async -> Bool {
    guard failure.status == 410, let session, session.id == escalatedSession else { return false }
    // A cursor that is too old says nothing of the session.
    guard failure.code?.contains("cursor") != true else { return false }
    logger.info("the stream of the escalated session has ended; its history is read instead")
    heldRefusal = (generation, failure)
    while (try? await configuration.clock.sleep(Self.historyInterval)) != nil, !Task.isCancelled {
      do {
        let messages = try await api.history(session: session)
        guard !Task.isCancelled else { break }
        for message in messages where message.role == "human_agent" { showHuman(message.id, message.content) }
      } catch {
        guard Self.failure(error).kind == .transient else { break }
      }
    }
    guard !Task.isCancelled else { return true }
    // The history is refused too.
    heldRefusal = nil
    return false
  }

  /// The user writes: the refusal that was held back takes its course, which is a new session.
  func endFollowing() {
    guard let (generation, failure) = heldRefusal else { return }
    heldRefusal = nil
    closeStream()
    handle(.streamRefused(generation: generation, failure))
  }
}
