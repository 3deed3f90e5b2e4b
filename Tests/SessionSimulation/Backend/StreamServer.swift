import EventLedger
import EventStream
import ResolveKitCore

/// A backend's end of an event stream: the events behind a cursor, then each as it comes.
final class StreamServer {
  private let backend: BackendProcess
  private let session: String
  private let connection: StreamConnection
  private var cursor: Int64
  private var isReading = false
  private var isMoreDue = false

  /// The longest time that a response lasts, in milliseconds.
  private static let lifetime = 300_000

  init(_ backend: BackendProcess, _ session: String, _ connection: StreamConnection, cursor: Int64) {
    self.backend = backend
    self.session = session
    self.connection = connection
    self.cursor = cursor
  }

  /// Opens the stream, or refuses a cursor that it cannot continue from.
  func open() {
    let (cursor, session) = (cursor, session)
    backend.database.submit(from: backend.life) {
      $0.extent(of: session)
    } then: { result in
      guard case .success(let extent) = result else {
        return self.connection.refuse(
          RequestFailure(status: 503, message: "The log cannot be read.", retryAfterSeconds: 5))
      }
      if cursor > 0, cursor < extent.floor { return self.refuse("cursor_expired") }
      if cursor > extent.last { return self.refuse("cursor_unknown") }
      self.cursor = max(cursor, extent.floor)
      self.connection.accept()
      self.connection.send(EventStreamWriter.comment("connected"), id: nil)
      self.backend.add(self)
      self.backend.life.after(milliseconds: Self.lifetime) { self.connection.finish() }
      self.repeatEvents()
    }
  }

  var isOver: Bool { connection.isOver }

  private func refuse(_ code: String) { connection.refuse(RequestFailure(status: 410, code: code, message: code)) }

  /// Sends first the events that a proxy's or a server's fault repeats.
  private func repeatEvents() {
    guard let (count, isShuffled) = backend.takeRepetition(), cursor > 0 else { return pump() }
    let (cursor, session) = (cursor, session)
    backend.database.submit(from: backend.life) { database in
      try database.frames(of: session, after: max(cursor - Int64(count), database.extent(of: session).floor))
        .filter { $0.id <= cursor }
    } then: { result in
      guard case .success(let frames) = result else { return self.connection.breakOff() }
      for (id, bytes) in isShuffled ? frames.reversed() : frames { self.connection.send(bytes, id: id) }
      self.pump()
    }
  }

  /// There may be more events.
  func pump() {
    guard !connection.isOver else { return }
    guard !isReading else { return isMoreDue = true }
    isReading = true
    isMoreDue = false
    let (cursor, session) = (cursor, session)
    backend.database.submit(from: backend.life) {
      try $0.frames(of: session, after: cursor)
    } then: { result in
      self.isReading = false
      // A response that has begun can only break.
      guard case .success(let frames) = result else { return self.connection.breakOff() }
      for (id, bytes) in frames {
        self.connection.send(bytes, id: id)
        self.cursor = id
      }
      if !frames.isEmpty || self.isMoreDue { self.pump() }
    }
  }
}
