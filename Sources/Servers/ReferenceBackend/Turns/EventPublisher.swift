package import EventLedger

/// Appends events and tells the streams, in this order: a stream that is told finds them in the log.
package struct EventPublisher: Sendable {
  package let log: any EventLog
  package let feed: EventFeed
  package let now: @Sendable () -> WallTime

  package init(log: any EventLog, feed: EventFeed, now: @escaping @Sendable () -> WallTime) {
    self.log = log
    self.feed = feed
    self.now = now
  }

  package func publish(_ payloads: [EventPayload], sessionID: String, turnID: String, requestID: String) async throws {
    let time = now()
    let events = try await log.append(
      payloads.map { payload in
        EventDraft(sessionID: sessionID, turnID: turnID, requestID: requestID, time: time, payload: payload)
      })
    if let last = events.last?.id { feed.announce(sessionID, upTo: last) }
  }
}
