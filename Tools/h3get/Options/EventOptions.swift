import ArgumentParser
import EventStream
import HTTPTypes

/// Whether an event stream is followed, and from where.
struct EventOptions: ParsableArguments {
  @Flag(
    name: .customLong("events"),
    help: """
      Follow an event stream: a JSON line for each event as it comes, with kind, at_ms since the request, at_ns of the \
      monotonic clock, id, event and data; comments, retry times and other fields have lines too. It ends after [DONE] \
      or with the stream, with a summary on standard error. The stream is taken as it is: nothing is asked for twice.
      """)
  var isOn = false

  @Option(
    help: ArgumentHelp(
      "Continue after this event's id, sent as Last-Event-ID; with --events.", valueName: "cursor"))
  var resume: String?

  func validate() throws {
    guard let resume else { return }
    guard isOn else { throw ValidationError("--resume says where an event stream continues; give --events too.") }
    let cursor = EventCursor(id: resume, sentAs: .lastEventID)
    guard resume.utf8.count <= EventStreamLimits().id, cursor.lastEventIDField != nil else {
      throw ValidationError(
        "--resume takes the id of an event, as its line shows it: one line of 1 to \(EventStreamLimits().id) bytes.")
    }
  }

  /// Adds the fields of an event source, where the command line does not say otherwise (HTML § 9.2.2).
  func complete(_ message: RequestMessage) -> RequestMessage {
    guard isOn else { return message }
    var message = message
    func add(_ name: HTTPField.Name, _ value: String) {
      if message.fields[name] == nil { message.fields[name] = value }
    }
    add(.accept, "text/event-stream")
    // A compressed stream is held back until the compressor's block is full.
    add(.acceptEncoding, "identity")
    add(.cacheControl, "no-cache")
    if let resume, let name = HTTPField.Name("last-event-id") {
      // UTF-8 as the standard wants it, not the latin-1 that fields usually are.
      message.fields[fields: name] = [HTTPField(name: name, value: Array(resume.utf8))]
    }
    return message
  }
}
