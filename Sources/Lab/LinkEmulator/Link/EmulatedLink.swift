import CLinux
import Foundation
package import LinkModel
import Synchronization

/// A link for real packets: two network namespaces joined by one emulated link.
///
/// Nothing of it has a name or outlives this process: namespaces, devices and programs vanish with it, however it ends.
/// Both sides reach each other at ``LinkSide/address`` and ``LinkSide/addressIPv6``, and nothing else.
package final class EmulatedLink: Sendable {
  package struct Options: Sendable {
    /// TCP's congestion control on both sides, such as `cubic`; nil: the system's default.
    package var congestionControl: String?
    /// More of TCP on both sides; what it leaves out is as the system has it.
    package var tuning = TCPTuning()
    package var hasIPv6 = true
    /// The folder of `client.pcapng`, `server.pcapng` and `tcp.csv`; nil: no capture.
    package var captureFolder: String?
    package var captureLimits = CaptureLimits()
    /// Entries of the log; later packets are carried and not logged.
    package var logLimit = 4_000_000
    /// Whether to ask for SCHED_FIFO and locked memory; without the right to them the link works, less exactly.
    package var wantsRealtime = true

    package init() {}
  }

  private enum Stage {
    case made
    case running(since: Int64, wallClockOffset: Int64, isMemoryLocked: Bool)
    case stopped(PacketLog)
  }

  private struct State {
    var stage = Stage.made
    var processes: [NamespacedProcess] = []

    var isOpen: Bool { if case .stopped = stage { false } else { true } }
  }

  package let options: Options
  private let client: NamespaceThread
  private let server: NamespaceThread
  private let loop: LinkLoop
  /// Nil without a capture.
  private let sampler: TCPSampler?
  private let state = Mutex(State())

  /// Makes namespaces and devices; packets cross after ``start()``.
  package init(conditions: LinkConditions, seed: LinkSeed, options: Options = Options()) throws(EmulatorError) {
    let model: LinkModel
    do {
      model = try LinkModel(conditions, seed: seed)
    } catch {
      throw EmulatorError(
        .invalidArgument, "The link's conditions can't be emulated; change what is named.", cause: error)
    }
    if let folder = options.captureFolder { try CaptureFiles.make(folder) }
    self.options = options
    client = try NamespaceThread(name: "client")
    do throws(EmulatorError) {
      server = try NamespaceThread(name: "server")
    } catch {
      client.close()
      throw error
    }
    do throws(EmulatorError) {
      let clientDevice = try Self.makeDevice(.client, on: client, options)
      let serverDevice = try Self.makeDevice(.server, on: server, options)
      sampler = options.captureFolder == nil ? nil : try Self.makeSampler(on: server)
      let recorder = PacketRecorder(
        limit: options.logLimit,
        capture: options.captureFolder == nil ? nil : PacketCapture(limits: options.captureLimits), sampler: sampler)
      loop = try LinkLoop(
        model: model, recorder: recorder, client: clientDevice, server: serverDevice,
        wantsRealtime: options.wantsRealtime)
    } catch {
      client.close()
      server.close()
      throw error
    }
  }

  private static func makeDevice(
    _ side: LinkSide, on thread: NamespaceThread, _ options: Options
  ) throws(EmulatorError) -> Descriptor {
    let setup = NamespaceSetup(
      side: side, congestionControl: options.congestionControl, tuning: options.tuning, hasIPv6: options.hasIPv6)
    let result = try thread.run { Result { () throws(EmulatorError) in try setup.makeDevice() } }
    return Descriptor(owning: try result.get())
  }

  private static func makeSampler(on thread: NamespaceThread) throws(EmulatorError) -> TCPSampler {
    try thread.run { Result { () throws(EmulatorError) in try TCPSampler() } }.get()
  }

  deinit { stop() }

  /// Opens the link; once.
  package func start() throws(EmulatorError) {
    let result = state.withLock { state -> Result<Void, EmulatorError> in
      guard case .made = state.stage else {
        return .failure(EmulatorError(.state, "A link is started once; make a new one."))
      }
      return Result { () throws(EmulatorError) in
        try sampler?.start()
        do throws(EmulatorError) { try loop.start() } catch {
          _ = sampler?.stop()
          throw error
        }
        let now = clinux_now()
        let offset = Int64(clamping: clinux_wall_time()) - Int64(clamping: now)
        let isLocked = options.wantsRealtime && clinux_lock_memory(true) == 0
        state.stage = .running(since: Int64(clamping: now), wallClockOffset: offset, isMemoryLocked: isLocked)
      }
    }
    try result.get()
  }

  /// Ends all programs, closes the link and the namespaces; answers what happened, each time the same.
  ///
  /// - Parameter grace: what programs get to end by themselves after SIGTERM.
  @discardableResult
  package func stop(grace: Duration = .seconds(2)) -> PacketLog {
    let processes = state.withLock { $0.processes }
    for process in processes { process.signal(SIGTERM) }
    for process in processes { process.terminate(grace: grace) }
    return state.withLock { state in
      let log: PacketLog
      switch state.stage {
      case .stopped(let log): return log
      case .made:
        loop.stop()
        log = PacketLog(entries: [])
      case .running(let since, let offset, let isLocked):
        loop.stop()
        let samples = sampler?.stop()
        if isLocked { _ = clinux_lock_memory(false) }
        log = finishedLog(since: since, wallClockOffset: offset, isMemoryLocked: isLocked, samples)
      }
      state.stage = .stopped(log)
      state.processes = []
      client.close()
      server.close()
      return log
    }
  }

  private func finishedLog(
    since: Int64, wallClockOffset: Int64, isMemoryLocked: Bool, _ samples: TCPSamples?
  ) -> PacketLog {
    var log = PacketLog(
      entries: loop.recorder.finished(), unloggedCount: loop.recorder.unloggedCount, wallClockOffset: wallClockOffset,
      started: since, stopped: Int64(clamping: clinux_now()), failedWrites: loop.failedWrites,
      isRealtime: loop.isRealtime, isMemoryLocked: isMemoryLocked)
    guard let capture = loop.recorder.capture, let folder = options.captureFolder else { return log }
    log.isCaptureComplete = capture.isComplete
    log.tcp = samples
    do throws(EmulatorError) {
      log.captureFiles = try CaptureFiles.write(
        capture, snapLength: options.captureLimits.packetBytes, wallClockOffset: wallClockOffset, to: folder)
      try samples?.writeCSV(to: folder + "/tcp.csv")
    } catch {
      log.captureError = error
    }
    return log
  }

  // MARK: What runs on a side

  /// Starts a program on one side; it ends with the link at the latest.
  package func start(_ command: NamespacedCommand, on side: LinkSide) throws(EmulatorError) -> NamespacedProcess {
    let process = try run(on: side) { () throws(EmulatorError) in try NamespacedProcess(starting: command) }
    let isKept = state.withLock { state in
      guard state.isOpen else { return false }
      state.processes.removeAll { $0.ending != nil }
      state.processes.append(process)
      return true
    }
    guard isKept else {
      process.kill()
      throw EmulatorError(.state, "The link was stopped; make a new one.")
    }
    return process
  }

  /// Runs `body` on the side's thread and waits for it: sockets that it opens belong to the side, on whatever thread
  /// they are used afterwards.
  package func run<Value: Sendable>(
    on side: LinkSide, _ body: @escaping @Sendable () throws(EmulatorError) -> Value
  ) throws(EmulatorError) -> Value {
    let thread = side == .client ? client : server
    return try thread.run { Result { () throws(EmulatorError) in try body() } }.get()
  }
}
