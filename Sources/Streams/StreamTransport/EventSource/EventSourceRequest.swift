public import HTTPTypes

/// The request of one attempt; made again for each, so that tokens can be fresh.
public struct EventSourceRequest: Sendable {
  /// The method; whichever it is, the request is repeated on every attempt.
  public var method: HTTPRequest.Method
  /// Path and query; the cursor's query parameter is added to it.
  public var path: String
  /// `accept`, `accept-encoding`, `cache-control`, and `priority` are added where missing; `last-event-id` is
  /// replaced as soon as there is a cursor.
  public var fields: HTTPFields
  /// The content of this attempt's request.
  public var body: RequestBody

  /// Creates a request for `path`; with the defaults a GET without fields of its own.
  public init(
    method: HTTPRequest.Method = .get, path: String, fields: HTTPFields = [:], body: RequestBody = .none
  ) {
    self.method = method
    self.path = path
    self.fields = fields
    self.body = body
  }
}

/// The attempt that a request is made for.
public struct EventSourceAttempt: Hashable, Sendable {
  /// The id that the stream is resumed after, empty at its beginning.
  public var lastEventID: String
  /// Counts from 1.
  public var number: Int

  /// Creates the description of an attempt; ``EventSourceClient`` does so for each.
  public init(lastEventID: String, number: Int) {
    self.lastEventID = lastEventID
    self.number = number
  }
}
