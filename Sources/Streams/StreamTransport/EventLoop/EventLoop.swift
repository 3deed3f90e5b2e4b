import CLinux
import Foundation
package import HTTP3Engine
import Synchronization

/// One thread that waits for file descriptors, deadlines and work, and runs all of it in turn.
///
/// It is a serial executor: an actor that adopts it owns its sockets and engines without locks. Tasks may run on its
/// thread, too (``LoopTaskExecutor``). Work may come from any thread; everything else belongs to the loop's own
/// thread, which is checked.
package final class EventLoop: SerialExecutor, @unchecked Sendable {
  package struct Registration: Hashable, Sendable {
    fileprivate let token: UInt64
  }

  private static let roundsPerTurn = 8
  private static let passesKept = 256
  /// Below all tokens of handlers.
  private static let wakeUpToken: UInt64 = 0
  private static let clockToken: UInt64 = 1
  /// Bytes that one receive call may fill.
  package static let receiveBufferSize = 16 * UDPSocket.slotSize

  private let epoll: FileDescriptor
  private let wakeUp: FileDescriptor
  private let clockWatch: FileDescriptor
  private let queue = LoopQueue()
  /// The loop thread's `pthread_self`, 0 before it runs.
  private let thread = Atomic<UInt>(0)

  // Only the loop's thread touches what follows; that is what makes the class Sendable. What each turn touches is not
  // checked for overlapping accesses: none lasts longer than a statement, and none of those calls a handler.
  @exclusivity(unchecked) private var handlers = TokenTable<(Readiness) -> Void>()
  @exclusivity(unchecked) private var timerHandlers = TokenTable<() -> Void>()
  @exclusivity(unchecked) private var deadlines = DeadlineQueue()
  @exclusivity(unchecked) private var passes: [LoopPass] = []
  private var suspension: SuspensionWatch
  private var suspensionHandlers = TokenTable<(Duration) -> Void>()
  /// Empty between two turns; their memory is used again.
  private var spareWork: [LoopQueue.Work] = []
  @exclusivity(unchecked) private var due: [UInt64] = []
  @exclusivity(unchecked) private var sparePasses: [LoopPass] = []
  /// The buffer for received datagrams; its content lasts until the next receive call on this loop.
  package let receiveBuffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: EventLoop.receiveBufferSize, alignment: 16)
  /// The batch that datagrams are gathered in for sending; empty between two write passes.
  package var batch = DatagramBatch()
  /// Shared by all that live on this loop; on the loop's thread only.
  package lazy var networkMonitor = NetworkMonitor(self)

  /// Starts the thread. Throws ``SystemError`` when the system is out of descriptors or threads.
  ///
  /// - Parameter suspendedTime: how long the machine has been suspended so far, in nanoseconds.
  package init(
    name: String, suspendedTime: @escaping @Sendable () -> UInt64 = { clinux_suspended_time() }
  ) throws(SystemError) {
    suspension = SuspensionWatch(suspendedTime)
    epoll = try FileDescriptor(opening: "epoll_create1", clinux_epoll_create())
    wakeUp = try FileDescriptor(opening: "eventfd", clinux_event_create())
    clockWatch = try FileDescriptor(opening: "timerfd_create", clinux_clock_watch_create())
    // What it counts is of no interest, so it is not read: each signal is reported again.
    try add(wakeUp.number, [.readable, .once], token: Self.wakeUpToken)
    _ = clinux_clock_watch_arm(clockWatch.number)
    try add(clockWatch.number, [.readable], token: Self.clockToken)
    try start(name: name)
  }

  deinit {
    receiveBuffer.deallocate()
    batch.deallocate()
  }

  /// The monotonic time.
  package var now: Timestamp { Timestamp(nanoseconds: clinux_now()) }

  package var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  // MARK: Work

  /// Runs `body` on the loop's thread, after what was given before; from any thread.
  package func execute(_ body: @escaping @Sendable () -> Void) {
    enqueue(.body(body))
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    enqueue(.actorJob(UnownedJob(job)))
  }

  package func isSameExclusiveExecutionContext(other: EventLoop) -> Bool { self === other }

  package func checkIsolated() {
    precondition(isCurrent, "Called off the event loop's thread.")
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Ends the thread after the work that waits now; for a loop whose owner is done with it.
  package func stop() {
    queue.stop()
    _ = clinux_event_signal(wakeUp.number)
  }

  func enqueue(_ work: LoopQueue.Work) {
    if queue.append(work) { _ = clinux_event_signal(wakeUp.number) }
  }

  // MARK: Descriptors and deadlines; on the loop's thread only

  package func register(
    _ socket: UDPSocket, _ interest: Readiness,
    handler: @escaping @Sendable (Readiness) -> Void
  ) throws(SystemError) -> Registration {
    try register(descriptor: socket.number, interest, handler: handler)
  }

  /// The descriptor has to be closed after it was unregistered.
  func register(
    descriptor: CInt, _ interest: Readiness, handler: @escaping @Sendable (Readiness) -> Void
  ) throws(SystemError) -> Registration {
    checkIsolated()
    let token = handlers.insert(handler)
    do throws(SystemError) {
      try add(descriptor, interest, token: token)
    } catch {
      handlers.remove(token)
      throw error
    }
    return Registration(token: token)
  }

  package func change(
    _ registration: Registration, _ socket: UDPSocket, to interest: Readiness
  ) {
    checkIsolated()
    _ = clinux_epoll_modify(epoll.number, socket.number, interest.rawValue, registration.token)
  }

  package func unregister(_ registration: Registration, _ socket: UDPSocket) {
    unregister(registration, descriptor: socket.number)
  }

  func unregister(_ registration: Registration, descriptor: CInt) {
    checkIsolated()
    guard handlers.remove(registration.token) != nil else { return }
    _ = clinux_epoll_remove(epoll.number, descriptor)
  }

  func addTimer(_ handler: @escaping @Sendable () -> Void) -> UInt64 {
    checkIsolated()
    return timerHandlers.insert(handler)
  }

  func setTimer(_ token: UInt64, to deadline: Timestamp?) {
    checkIsolated()
    guard timerHandlers[token] != nil else { return }
    deadlines.set(deadline, for: token)
  }

  func removeTimer(_ token: UInt64) {
    checkIsolated()
    deadlines.set(nil, for: token)
    timerHandlers.remove(token)
  }

  /// Runs the pass at the end of this turn.
  func add(_ pass: LoopPass) {
    checkIsolated()
    passes.append(pass)
  }

  /// `handler` receives the time for which the machine was suspended, as soon as it wakes up.
  package func addSuspensionHandler(_ handler: @escaping @Sendable (Duration) -> Void) -> Registration {
    checkIsolated()
    return Registration(token: suspensionHandlers.insert(handler))
  }

  package func removeSuspensionHandler(_ registration: Registration) {
    checkIsolated()
    suspensionHandlers.remove(registration.token)
  }

  /// The clock has jumped; if the machine was suspended meanwhile, all who asked for it are notified.
  package func clockHasJumped() {
    checkIsolated()
    guard let duration = suspension.check() else { return }
    for handler in suspensionHandlers.values { handler(duration) }
  }

  private func add(_ number: CInt, _ interest: Readiness, token: UInt64) throws(SystemError) {
    let answer = clinux_epoll_add(epoll.number, number, interest.rawValue, token)
    guard answer >= 0 else { throw SystemError("epoll_ctl", answer: answer) }
  }
}

// MARK: - The thread

extension EventLoop {
  private func start(name: String) throws(SystemError) {
    var handle = pthread_t()
    let box = Unmanaged.passRetained(self)
    let answer = pthread_create(
      &handle, nil,
      { box in
        guard let box else { return nil }
        Unmanaged<EventLoop>.fromOpaque(box).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard answer == 0 else {
      box.release()
      throw SystemError("pthread_create", number: answer)
    }
    clinux_thread_name(handle, String(name.prefix(15)))
    pthread_detach(handle)
  }

  private func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    // The kernel may be late by this much where it waits for a time, by default 50 µs: too much for pacing.
    _ = clinux_set_timer_slack(1)
    let room = HeapReserve()
    defer { withExtendedLifetime(room) {} }
    var ready = [clinux_ready](repeating: clinux_ready(), count: 64)
    while true {
      let (hasWork, isStopping) = queue.rest(isBusy: !passes.isEmpty)
      if isStopping && !hasWork && passes.isEmpty { break }
      let isBusy = hasWork || isStopping || !passes.isEmpty
      let deadline = isBusy ? 0 : deadlines.earliest?.nanoseconds ?? .max
      let count = clinux_epoll_wait(epoll.number, &ready, 64, deadline)
      if !isBusy { queue.awake() }
      precondition(count >= 0, "epoll_wait on our own descriptor fails only if it was closed elsewhere.")
      for index in 0..<Int(count) { deliver(ready[index]) }
      fireTimers()
      runQueuedWork()
      runPasses()
    }
    handlers = TokenTable()
    timerHandlers = TokenTable()
    suspensionHandlers = TokenTable()
    passes = []
    // From here on the identity may belong to another thread.
    thread.store(0, ordering: .relaxed)
  }

  private func deliver(_ ready: clinux_ready) {
    switch ready.token {
    case Self.wakeUpToken: break
    case Self.clockToken:
      clinux_drain(clockWatch.number)
      _ = clinux_clock_watch_arm(clockWatch.number)
      clockHasJumped()
    default: handlers[ready.token]?(Readiness(rawValue: ready.marks))
    }
  }

  /// Runs what is due now; what becomes due meanwhile waits for the next turn, so that sockets get theirs.
  private func fireTimers() {
    guard let earliest = deadlines.earliest else { return }
    let now = now
    guard earliest <= now else { return }
    while let token = deadlines.popDue(at: now) { due.append(token) }
    for token in due { timerHandlers[token]?() }
    due.removeAll(keepingCapacity: true)
  }

  /// Runs the work that waits, and some of what it leads to: a task that continues here in many small steps does not ask the
  /// kernel for news after each. What is left waits for the next turn, so that sockets get theirs.
  private func runQueuedWork() {
    var rounds = 0
    while rounds < Self.roundsPerTurn, queue.take(&spareWork, run) { rounds += 1 }
  }

  /// Once each: what a pass asks for is done in the next turn.
  private func runPasses() {
    guard !passes.isEmpty else { return }
    swap(&passes, &sparePasses)
    for pass in sparePasses { pass.run() }
    sparePasses.removeAll(keepingCapacity: sparePasses.count <= Self.passesKept)
  }

  private func run(_ work: LoopQueue.Work) {
    switch work {
    case .actorJob(let job): job.runSynchronously(on: asUnownedSerialExecutor())
    case .taskJob(let job, let executor): job.runSynchronously(on: executor.asUnownedTaskExecutor())
    case .body(let body): body()
    }
  }
}
