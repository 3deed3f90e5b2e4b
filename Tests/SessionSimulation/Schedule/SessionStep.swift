/// Something that happens at a moment: what a person does, or a fault.
package struct SessionStep: Codable, Equatable, Sendable {
  package enum Event: Codable, Equatable, Sendable {
    // MARK: A person
    /// Writes a message; the number tells it from all others. Repeated each second until the client takes it.
    case say(Int, TurnPlan)
    /// Sends the last message again, where it has no answer.
    case retry
    /// Stops the turn.
    case cancelTurn
    /// Ends the client, and starts it again after so many milliseconds.
    case restartClient(down: Int)

    // MARK: The client's machine
    /// Kills the client before the `step`th thing that it does from now on.
    ///
    /// - Parameter kept: of the bytes that are not known to be on the disk, the share that is.
    case killClient(step: Int, kept: Double, down: Int)
    /// Everything in the client stands still.
    case suspendClient(for: Int)
    /// The client stands still while its clocks continue.
    case stallClient(for: Int)
    /// The clock on the client's wall is set.
    case setClientClock(seconds: Int)

    // MARK: Backends
    /// Kills a backend in place of the `step`th thing that it does from now on; nil: at once.
    case killBackend(Int, step: Int? = nil, down: Int)
    /// Ends a backend in order: it lets go of its turns.
    case stopBackend(Int, down: Int)
    /// Everything in a backend stands still, as in a machine without memory.
    case pauseBackend(Int, for: Int)
    case setBackendClock(Int, seconds: Int)

    // MARK: The database
    case disturbStorage(StorageFault, for: Int)
    /// The oldest events are dropped: all but this share of them.
    case trim(keeping: Double)

    // MARK: The network
    /// The stream breaks behind so many more bytes.
    case cutStream(afterBytes: Int)
    /// The stream's next event never arrives.
    case loseEvent
    /// The next stream repeats so many events from before its cursor, in order or not.
    case repeatEvents(Int, isShuffled: Bool)
    /// A stream that was closed delivers what was under way all the same.
    case lingerStream
    /// Each piece of the stream takes up to so many milliseconds.
    case slowStream(upTo: Int)
    /// The next requests have this fate.
    case disturbRequests(RequestFate, count: Int)

    var isMessage: Bool { if case .say = self { true } else { false } }
  }

  /// Milliseconds since the beginning.
  package var at: Int
  package var event: Event
  /// The number of the client that it is about, where it is about one; nil: 0.
  package var client: Int?

  package init(at: Int, _ event: Event, client: Int? = nil) {
    self.at = at
    self.event = event
    self.client = client
  }
}

/// A failure of the database.
package enum StorageFault: String, Codable, CaseIterable, Sendable {
  /// Nothing can be asked.
  case unreachable
  /// All that is asked is done, and the answer is lost.
  case losesAnswers
  /// All that is asked is done seconds after the asker was told that it may not be.
  case late
  /// Each answer takes seconds.
  case slow
  /// No process hears of changes.
  case deaf
}

/// The fate of a request.
package enum RequestFate: String, Codable, CaseIterable, Sendable {
  /// There is no connection.
  case unreachable
  /// A proxy refuses it with 503.
  case refused
  /// The session's token is refused with 401.
  case expired
  /// It arrives, and the connection is reset before the answer is whole.
  case reset
  /// It arrives, and a proxy answers 502.
  case badGateway
  /// It arrives, and no answer comes in time.
  case timedOut
  /// It arrives long after the client has given it up.
  case late
}
