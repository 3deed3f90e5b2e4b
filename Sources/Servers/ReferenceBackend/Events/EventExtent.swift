/// Which cursors of a session can be resumed from.
package struct EventExtent: Equatable, Sendable {
  /// The greatest id that was dropped: a cursor before it has lost events.
  package var floor: EventID
  /// The greatest id that the session's log ever gave: a cursor after it is from another log.
  package var last: EventID

  package init(floor: EventID, last: EventID) {
    self.floor = floor
    self.last = last
  }
}
