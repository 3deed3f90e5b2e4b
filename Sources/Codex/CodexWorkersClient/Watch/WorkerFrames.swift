import EventStream
import ResolveKitCore

/// The content of an event of the stream.
enum WorkerFrame: Equatable {
  case event(WorkerEvent)
  /// The proxy's word that the poll failed behind it.
  case failure(WorkersError)

  /// The frames in an event of the stream.
  ///
  /// A frame has one line of data. A proxy that asked again in the middle of one continues with a fresh `id:` line and without
  /// the blank line that would end it, so that the standard's reading joins two frames: each line is read on its own, and
  /// what is torn is left out, since it comes again. Frames that name another worker are nobody's.
  static func frames(of event: ServerSentEvent, worker: String, requestID: String?) -> [WorkerFrame] {
    if event.type == "error" { return [.failure(WorkersError(errorEvent: event.data, requestID: requestID))] }
    return event.data.split(separator: "\n").compactMap { line in
      guard let value = try? JSONValue(parsing: Array(line.utf8)), let event = WorkerEvent(value) else { return nil }
      guard event.workerID.isEmpty || event.workerID == worker else { return nil }
      return .event(event)
    }
  }
}
