import HTTP3Engine
public import HTTPTypes

/// The urgency of a response beside the others of its connection (RFC 9218).
///
/// Set it as `HTTPRequest.priority`, and change it while the response is on its way with
/// ``ResponseBody/setPriority(_:)``. A server that heeds it sends all that is more urgent first; among equals it sends
/// one response after the other, or incremental ones in turns. Over HTTP/1.1 it is a field like any other.
public struct RequestPriority: Hashable, Sendable {
  let value: StreamPriority

  /// An urgency beyond the range is taken for the nearest in it.
  public init(urgency: Int = 3, isIncremental: Bool = false) {
    value = StreamPriority(urgency: urgency, isIncremental: isIncremental)
  }

  /// Parses the value of a `priority` field; nil if it is malformed or out of range.
  public init?(fieldValue: String) {
    guard let value = StreamPriority(fieldValue: Array(fieldValue.utf8)) else { return nil }
    self.value = value
  }

  /// 0, the most urgent, to 7; 3 by default (§ 4.1).
  public var urgency: Int { value.urgency }
  /// Whether parts of the response are useful before it is whole (§ 4.2).
  public var isIncremental: Bool { value.isIncremental }
  /// The value of a `priority` field, such as `u=1, i`.
  public var fieldValue: String { value.fieldValue }

  /// An event stream's: ahead of default traffic, and in turns with other streams of events, each of which
  /// would else wait for the end of the one before.
  public static let eventStream = RequestPriority(urgency: 2, isIncremental: true)
}

extension HTTPRequest {
  /// The `priority` field's value; nil where there is none, or none that can be read.
  public var priority: RequestPriority? {
    get { headerFields[.priority].flatMap { RequestPriority(fieldValue: $0) } }
    set { headerFields[.priority] = newValue?.fieldValue }
  }
}
