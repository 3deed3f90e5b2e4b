import StreamTransport

extension WorkersClient {
  /// Follows a worker's log until `take` has enough, the task is cancelled, or no attempt can help.
  ///
  /// The stream ends by design and is opened again; events come once and in order through every interruption. `take` is
  /// called with one update after the other, and what it answers moves the cursor: an event that it could not deal with
  /// comes again.
  ///
  /// Throws ``WorkersError`` where trying again cannot help, and `CancellationError`.
  ///
  /// - Parameters:
  ///   - cursor: the last event that is known; 0 for all of the log.
  ///   - signIn: called where the server does not take the token any more; returns once there is another one, and false
  ///     to give up.
  public func watch(
    _ worker: String, after cursor: Int64, signIn: @escaping @Sendable () async -> Bool = { false },
    _ take: (WorkerUpdate) async throws -> WorkerUptake
  ) async throws {
    try await WatchRun(client: self, worker: worker, signIn: signIn, cursor: cursor).run(take)
  }
}

/// Performs what a watch's rules say: holds at most one stream, one look at the snapshot, one sleep and one sign-in.
private struct WatchRun {
  /// A fact from a task, which waits until it is dealt with, so that nothing is read ahead.
  private struct Delivery: Sendable {
    let source: Source
    let number: Int
    let fact: WorkerWatch.Fact
    let done: OneShot<Void>
  }

  private enum Source: Hashable, CaseIterable, Sendable {
    case stream
    case snapshot
    case clock
    case signIn
  }

  private enum Verdict {
    case goOn
    case enough
  }

  let client: WorkersClient
  let worker: String
  let signIn: @Sendable () async -> Bool
  let cursor: Int64

  func run(_ take: (WorkerUpdate) async throws -> WorkerUptake) async throws {
    let (deliveries, inbox) = AsyncStream.makeStream(of: Delivery.self)
    let clock = client.configuration.clock
    var generator = client.configuration.makeGenerator()
    var watch = WorkerWatch(after: cursor, refreshInterval: client.configuration.refreshInterval)
    var tasks: [Source: (number: Int, task: Task<Void, Never>)] = [:]
    var count = 0
    defer { for entry in tasks.values { entry.task.cancel() } }

    func stop(_ source: Source) { tasks.removeValue(forKey: source)?.task.cancel() }

    func start(
      _ source: Source,
      _ body: @escaping @Sendable (@Sendable (WorkerWatch.Fact) async throws -> Void) async throws -> Void
    ) {
      stop(source)
      count += 1
      let number = count
      tasks[source] = (
        number,
        Task {
          try? await body { fact in
            let done = OneShot<Void>()
            inbox.yield(Delivery(source: source, number: number, fact: fact, done: done))
            try await done.value()
          }
        }
      )
    }

    func perform(_ actions: [WorkerWatch.Action]) async throws -> Verdict {
      var queue = actions[...]
      while let action = queue.popFirst() {
        switch action {
        case .open(let cursor):
          let poll = WorkerPoll(
            calls: client.calls, configuration: client.configuration, worker: worker, cursor: cursor)
          start(.stream) { try await poll.run($0) }
        case .leave: stop(.stream)
        case .fetchSnapshot:
          start(.snapshot) { [client, worker] report in
            do {
              try await report(.snapshot(try await client.snapshot(of: worker)))
            } catch let error as WorkersError {
              try await report(.noSnapshot(error))
            }
          }
        case .signIn:
          start(.signIn) { [signIn] report in
            try await report(await signIn() ? .signedIn : .noSnapshot(.signedOut))
          }
        case .report(let update):
          switch try await take(update) {
          case .taken: break
          case .again:
            guard case .event(let event) = update else { break }
            queue = watch.handle(.notTaken(event.sequence), at: clock.now(), using: &generator)[...]
          case .enough: return .enough
          }
        case .finish(let error): throw error
        }
      }
      return .goOn
    }

    func rearm() {
      guard let deadline = watch.deadline else { return stop(.clock) }
      start(.clock) { report in
        let rest = deadline - clock.now()
        if rest > .zero { try await clock.sleep(rest) }
        try await report(.due)
      }
    }

    guard case .goOn = try await perform(watch.handle(.begun, at: clock.now(), using: &generator)) else { return }
    rearm()
    var deadline = watch.deadline
    for await delivery in deliveries {
      // The reports of a stream that was left reach nobody.
      guard tasks[delivery.source]?.number == delivery.number else { continue }
      if delivery.source == .signIn, case .noSnapshot(let error) = delivery.fact { throw error }
      let actions = watch.handle(delivery.fact, at: clock.now(), using: &generator)
      guard case .goOn = try await perform(actions) else { return }
      delivery.done.answer(.success(()))
      if watch.deadline != deadline || delivery.source == .clock {
        deadline = watch.deadline
        rearm()
      }
    }
    try Task.checkCancellation()
  }
}
