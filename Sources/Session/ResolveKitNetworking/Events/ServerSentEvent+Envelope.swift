public import EventStream
public import ResolveKitCore

extension ServerSentEvent {
  /// The content of a session's event.
  ///
  /// Throws where the data are no envelope. Such an event is passed over by asking for the next one: the cursor moves
  /// past it, so that no reconnect gets it again.
  public func envelope() throws(JSONError) -> ResolveKitEnvelope {
    try ResolveKitEnvelope(parsing: data, fallbackType: type)
  }
}
