import EventStream
import ToolSupport

/// Turns an event stream's bytes into lines of JSON; pure but for its caller's clock.
struct EventLines: Sendable {
  private var parser = EventStreamParser()
  private var contract: StreamContract?
  private var mayEnd = true
  private(set) var times = EventTimes()
  /// The stream has said that it is over; what follows is not looked at.
  private(set) var isDone = false

  /// The lines of what ends in these bytes. Throws where the stream passes a limit, after the lines before it were
  /// handed to `write`, and what `write` throws.
  mutating func receive(_ bytes: [UInt8], at arrival: ArrivalTime, write: (String) throws -> Void) throws {
    guard !isDone else { return }
    for item in try parser.parse(bytes) {
      try write(line(item, arrival))
      if isDone { return }
    }
    if let failure = parser.failure { throw failure }
  }

  /// The reason for which a stream that ends here is incomplete; nil for a whole one.
  var truncation: String? {
    if isDone { return nil }
    if parser.bufferedBytes > 0 { return "The stream ended in the middle of an event; it was cut on the way." }
    guard !mayEnd, let contract else { return nil }
    return "The stream ended gracefully but without its \(contract.lastEventName); it was cut on the way."
  }

  private mutating func line(_ item: EventStreamItem, _ arrival: ArrivalTime) -> String {
    switch item {
    case .event(let event):
      observe(event, arrival)
      var line = arrival.line("event")
      line.add("id", event.lastEventID.isEmpty ? nil : event.lastEventID)
      line.add("event", event.type)
      line.add("data", event.data)
      return line.text
    case .comment(let text):
      var line = arrival.line("comment")
      line.add("comment", text)
      return line.text
    case .retry(let milliseconds):
      var line = arrival.line("retry")
      line.add("retry", milliseconds)
      return line.text
    case .unknownField(let name, let value):
      var line = arrival.line("field")
      line.add("name", name)
      line.add("value", value)
      return line.text
    case .idCommitted(let id):
      var line = arrival.line("id")
      line.add("id", id)
      return line.text
    }
  }

  private mutating func observe(_ event: ServerSentEvent, _ arrival: ArrivalTime) {
    times.add(arrival.sinceRequest)
    let contract = contract ?? StreamContract(firstEvent: event)
    self.contract = contract
    mayEnd = contract.isLast(event)
    isDone = event.data == StreamContract.done
  }
}
