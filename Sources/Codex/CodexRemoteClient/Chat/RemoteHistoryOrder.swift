/// The order of a history, whose messages and activities come apart, with times in whole seconds.
enum RemoteHistoryOrder {
  /// - Parameter turnID: a turn that is left out; nil for none.
  static func merged(_ timeline: RemoteTimeline, without turnID: String?) -> [RemoteEntry] {
    let isKept = { (own: String?) in turnID == nil || own != turnID }
    var messages = timeline.messages.filter { isKept($0.turnID) }[...]
    var activities = timeline.activities.filter { isKept($0.turnID) }[...]
    var merged: [RemoteEntry] = []
    while let message = messages.first, let activity = activities.first {
      // In one second a person asks before, and the agent answers after what it did.
      let isFirst =
        message.role == "user" ? message.createdAt <= activity.createdAt : message.createdAt < activity.createdAt
      if isFirst {
        merged.append(RemoteEntry(message))
        messages.removeFirst()
      } else {
        merged.append(RemoteEntry(activity))
        activities.removeFirst()
      }
    }
    return merged + messages.map { RemoteEntry($0) } + activities.map { RemoteEntry($0) }
  }
}
