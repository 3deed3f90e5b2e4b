import EventStream

/// HTML § 9.2.6 as it is written: decode the whole stream, split it, read the lines. Slow, and shares nothing with
/// the parser but the items' names.
struct ReferenceEventStream {
  private(set) var items: [EventStreamItem] = []
  private(set) var lastEventID = ""
  private var idBuffer = ""
  private var idSeen = false
  /// Whether an event has had the id since it was last given.
  private var idWasDispatched = false
  private var type = ""
  private var data: String?

  init(_ bytes: [UInt8]) {
    var scalars = ReferenceUTF8.decode(bytes)
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    for line in Self.lines(scalars) { read(line) }
  }

  /// The lines that have an end.
  private static func lines(_ scalars: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
    var lines: [[Unicode.Scalar]] = []
    var line: [Unicode.Scalar] = []
    var index = 0
    while index < scalars.count {
      if scalars[index] == "\n" || scalars[index] == "\r" {
        if scalars[index] == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { index += 1 }
        lines.append(line)
        line = []
      } else {
        line.append(scalars[index])
      }
      index += 1
    }
    return lines
  }

  private mutating func read(_ line: [Unicode.Scalar]) {
    guard !line.isEmpty else { return dispatch() }
    let colon = line.firstIndex(of: ":")
    let name = Self.string(line[..<(colon ?? line.count)])
    var rest = line[(colon.map { $0 + 1 } ?? line.count)...]
    if rest.first == " " { rest.removeFirst() }
    let value = Self.string(rest)
    switch Array(name.utf8) {
    case []: items.append(.comment(value))
    case Array("data".utf8): data = (data ?? "") + value + "\n"
    case Array("event".utf8): type = value
    case Array("id".utf8) where !rest.contains("\0"):
      idBuffer = value
      idSeen = true
    case Array("retry".utf8) where !rest.isEmpty && rest.allSatisfy({ ("0"..."9").contains($0) }):
      items.append(.retry(milliseconds: min(Int(value) ?? .max, EventStreamLimits().retryMilliseconds)))
    default: items.append(.unknownField(name: name, value: value))
    }
  }

  private mutating func dispatch() {
    lastEventID = idBuffer
    if idSeen { idWasDispatched = false }
    if let data {
      let text = String(String.UnicodeScalarView(data.unicodeScalars.dropLast()))
      items.append(
        .event(
          ServerSentEvent(
            type: type.isEmpty ? "message" : type, data: text, lastEventID: lastEventID,
            hasOwnID: !lastEventID.isEmpty && !idWasDispatched)))
      idWasDispatched = true
    } else if idSeen {
      items.append(.idCommitted(lastEventID))
    }
    data = nil
    type = ""
    idSeen = false
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
