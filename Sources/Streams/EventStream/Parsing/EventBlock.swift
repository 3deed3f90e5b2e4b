/// The block being read: its lines become fields, and its blank line an event (HTML § 9.2.6).
struct EventBlock: Sendable {
  /// The last committed id.
  private(set) var lastEventID: String
  /// Whether no event has had ``lastEventID`` yet.
  private var isIDUnused = false
  /// The id that the blank line commits; means nothing unless `hasID`.
  private var nextID = ""
  private var hasID = false
  private var data = ""
  private var hasData = false
  private var dataBytes = 0
  private var hasType = false
  /// The last type seen: streams repeat theirs, and comparing costs less than making the string again.
  private var type = ServerSentEvent.defaultType
  private var typeBytes: [UInt8] = []

  init(lastEventID: String) {
    self.lastEventID = lastEventID
  }

  /// The bytes that the unfinished block holds.
  var heldBytes: Int {
    dataBytes &+ (hasType ? typeBytes.count : 0) &+ (hasID ? nextID.utf8.count : 0)
  }

  /// Forgets the unfinished block, its id too.
  mutating func drop() {
    nextID = ""
    hasID = false
    hasType = false
    data = ""
    hasData = false
    dataBytes = 0
  }

  /// Whether a line of `length` bytes, finished or not, is within the limits.
  @inline(__always)
  func checkLine(
    length: Int, isComment: Bool, _ limits: EventStreamLimits
  ) throws(EventStreamError) {
    if length > limits.line { throw EventStreamError(code: .lineTooLong, limit: limits.line) }
    if isComment, length &- 1 > limits.comment {
      throw EventStreamError(code: .commentTooLong, limit: limits.comment)
    }
    if length &+ heldBytes > limits.buffered {
      throw EventStreamError(code: .bufferFull, limit: limits.buffered)
    }
  }

  /// Takes a whole line without its end.
  @inline(__always)
  mutating func endLine(
    _ line: UnsafeRawBufferPointer, _ limits: EventStreamLimits, _ onItem: (EventStreamItem) -> Void
  ) throws(EventStreamError) {
    guard let base = line.baseAddress, line.count > 0 else { return end(onItem) }
    let field = EventField(base, line.count)
    try checkLine(length: line.count, isComment: field.name == .comment, limits)
    let value = UnsafeRawBufferPointer(rebasing: line[field.valueStart...])
    switch field.name {
    case .data: try addData(value, limits)
    case .event: try setType(value, limits)
    case .id: try setID(value, limits, onItem)
    case .retry: setRetry(value, limits, onItem)
    case .comment: onItem(.comment(String(decoding: value, as: UTF8.self)))
    case .unknown(let nameLength):
      let name = UnsafeRawBufferPointer(rebasing: line[..<nameLength])
      onItem(
        .unknownField(
          name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
    }
  }

  /// The blank line: commits the id, and dispatches if there was a `data` field, be it empty.
  @inline(__always)
  private mutating func end(_ onItem: (EventStreamItem) -> Void) {
    // Strings are swapped out rather than copied: a retain and a release an event cost a tenth of the speed.
    if hasID {
      swap(&lastEventID, &nextID)
      isIDUnused = !lastEventID.isEmpty
    }
    if hasData {
      let type = hasType && !typeBytes.isEmpty ? type : ServerSentEvent.defaultType
      var event = ServerSentEvent(
        type: type, data: "", lastEventID: lastEventID, hasOwnID: isIDUnused)
      isIDUnused = false
      swap(&event.data, &data)
      hasData = false
      dataBytes = 0
      onItem(.event(event))
    } else if hasID {
      onItem(.idCommitted(lastEventID))
    }
    hasID = false
    hasType = false
  }

  @inline(__always)
  private mutating func addData(
    _ value: UnsafeRawBufferPointer, _ limits: EventStreamLimits
  ) throws(EventStreamError) {
    dataBytes &+= value.count &+ 1
    if dataBytes > limits.event { throw EventStreamError(code: .eventTooLarge, limit: limits.event) }
    // Line by line decoding equals decoding the stream: a line end is ASCII, and ends any sequence (Encoding § 4).
    let text = String(decoding: value, as: UTF8.self)
    if hasData {
      data += "\n"
      data += text
    } else {
      data = text
      hasData = true
    }
  }

  @inline(__always)
  private mutating func setType(
    _ value: UnsafeRawBufferPointer, _ limits: EventStreamLimits
  ) throws(EventStreamError) {
    if value.count > limits.type { throw EventStreamError(code: .typeTooLong, limit: limits.type) }
    hasType = true
    if isLastType(value) { return }
    typeBytes = Array(value)
    type = String(decoding: value, as: UTF8.self)
  }

  @inline(__always)
  private func isLastType(_ value: UnsafeRawBufferPointer) -> Bool {
    let known = typeBytes.span
    guard known.count == value.count else { return false }
    for index in 0..<known.count where known[unchecked: index] != value[index] { return false }
    return true
  }

  @inline(__always)
  private mutating func setID(
    _ value: UnsafeRawBufferPointer, _ limits: EventStreamLimits, _ onItem: (EventStreamItem) -> Void
  ) throws(EventStreamError) {
    if value.count > limits.id { throw EventStreamError(code: .idTooLong, limit: limits.id) }
    let text = String(decoding: value, as: UTF8.self)
    guard !value.contains(0) else { return onItem(.unknownField(name: "id", value: text)) }
    nextID = text
    hasID = true
  }

  private func setRetry(
    _ value: UnsafeRawBufferPointer, _ limits: EventStreamLimits, _ onItem: (EventStreamItem) -> Void
  ) {
    let zero: UInt8 = 0x30
    var milliseconds = 0
    for byte in value {
      let digit = byte &- zero
      guard digit <= 9 else {
        return onItem(.unknownField(name: "retry", value: String(decoding: value, as: UTF8.self)))
      }
      let (product, overflowed) = milliseconds.multipliedReportingOverflow(by: 10)
      let (sum, carried) = product.addingReportingOverflow(Int(digit))
      milliseconds = overflowed || carried ? limits.retryMilliseconds : min(sum, limits.retryMilliseconds)
    }
    guard !value.isEmpty else { return onItem(.unknownField(name: "retry", value: "")) }
    onItem(.retry(milliseconds: milliseconds))
  }
}
