/// The reactions of a serving companion to projects that are hidden or shown.
package protocol ServedProjects: Sendable {
  /// Asks codex which projects there are.
  func refresh() async

  /// The set of hidden folders has changed.
  func changed() async
}

/// The projects of a companion that serves.
///
/// Hiding one takes it out of the devices' hands at once: the streams of its chats end, their turns are interrupted, and
/// whatever codex asks there is declined, since nobody is left to answer. Showing it again brings back the chats; a turn
/// that was interrupted stays so.
struct ProjectDoor: ServedProjects {
  let directory: ChatDirectory
  let hub: ChatHub
  /// Ends the streams of chats.
  let closings: Revocations

  func refresh() async { _ = try? await directory.entries() }

  func changed() async {
    for chat in await hub.opened {
      let isHidden = await directory.isHidden(chat.id)
      // First, so that no device sees what follows.
      if isHidden { closings.revoke(chat.id) }
      await chat.set(isHidden: isHidden)
    }
  }
}
