import Foundation
import ResolveKitCore
import ResolveKitNetworking

/// The conversation that is held: a new one, or one that was kept on this machine.
enum ConversationChoice: Equatable {
  case new
  case latest
  case kept(String)

  /// The conversations that stay beside a new one: so many, used within so many days.
  static let keptCount = 500
  static let keptDays = 90

  init(_ options: ChatOptions) {
    self = options.resume.map { .kept($0) } ?? (options.continues ? .latest : .new)
  }

  /// Throws ``ChatFailure`` where it is known already that there is none to continue with.
  func check(in folder: ResolveKitJournalFolder, isKept: Bool) throws {
    guard self != .new else { return }
    guard isKept else {
      throw ChatFailure(code: .usage, message: "without --keep there is no conversation to continue")
    }
    switch self {
    case .new: break
    case .latest:
      guard !(try folder.sessions().isEmpty) else {
        throw ChatFailure(
          code: .usage, message: "no conversation is kept on this machine; begin one without --continue")
      }
    case .kept(let id):
      do { _ = try folder.session(id) } catch {
        guard error.code != .notFound else {
          throw ChatFailure(
            code: .usage, message: "there is no conversation \(id) on this machine; --list names those that are kept")
        }
        throw ChatFailure(code: .usage, message: "\(error)")
      }
    }
  }

  /// The journal, with the conversation that it continues; a new one makes room first. Throws ``ChatFailure`` where there is
  /// none of this server.
  func journal(in folder: ResolveKitJournalFolder, server: String) throws -> ResolveKitJournalConfiguration {
    switch self {
    case .new:
      // A conversation that can't be deleted is no reason not to talk.
      _ = try? folder.prune(
        keeping: Self.keptCount, usedSince: Date(timeIntervalSinceNow: -86_400 * Double(Self.keptDays)))
      return ResolveKitJournalConfiguration(folder: folder, resumption: .none)
    case .latest:
      let sessions = try folder.sessions().filter { $0.server == server }
      guard let session = sessions.first(where: { !$0.isInUse }) else {
        let reason =
          sessions.isEmpty ? "no conversation with \(server) is kept" : "every conversation with \(server) is in use"
        throw ChatFailure(code: .usage, message: "\(reason); --list names those that are kept")
      }
      return ResolveKitJournalConfiguration(folder: folder, resumption: .session(session.id))
    case .kept(let id): return ResolveKitJournalConfiguration(folder: folder, resumption: .session(id))
    }
  }
}
