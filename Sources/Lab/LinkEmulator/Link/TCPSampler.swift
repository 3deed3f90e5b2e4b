import CLinux
import Glibc
import Synchronization

/// Samples every TCP connection over the link at its server, every 5 ms, on a thread of its own.
///
/// The link says which connections there are: a list of all of them would walk the kernel's whole table each time.
package final class TCPSampler: Sendable {
  static let interval: UInt64 = 5_000_000
  /// Connections sampled at once.
  private static let flowLimit = 64
  /// The time that a connection has to be established.
  private static let patience: Int64 = 10_000_000_000

  /// Opened in the server's namespace, and bound to it on whatever thread.
  private let diagnostics: Descriptor
  private let opened = Mutex<[TCPFlow]>([])
  private let mayEnd = Atomic<Bool>(false)
  private let answer = Answer<TCPSamples>()

  /// Runs on a thread in the server's namespace.
  init() throws(EmulatorError) {
    diagnostics = try Descriptor(opening: "sock_diag", clinux_diagnostics_open())
  }

  /// Starts the thread; once.
  func start() throws(EmulatorError) {
    try Threads.start(name: "tcp-sampler") { [self] in answer.set(collect()) }
  }

  /// Ends the thread and answers what it collected; once, after `start`.
  func stop() -> TCPSamples {
    mayEnd.store(true, ordering: .relaxed)
    return answer.get()
  }

  /// Looks at a packet that the server gets.
  func delivered(_ packet: [UInt8]) {
    guard let flow = TCPFlow(opening: packet) else { return }
    opened.withLock { if $0.count <= Self.flowLimit { $0.append(flow) } }
  }

  // MARK: On the thread

  /// A connection that is sampled.
  private struct Watched {
    var flow: TCPFlow
    var since: Int64
    var wasEstablished = false
  }

  private func collect() -> TCPSamples {
    var samples = TCPSamples()
    var watched: [Watched] = []
    var next = clinux_now()
    while !mayEnd.load(ordering: .relaxed) {
      let now = Int64(clamping: clinux_now())
      let new = opened.withLock { flows in
        defer { flows = [] }
        return flows
      }
      for flow in new where !watched.contains(where: { $0.flow == flow }) {
        guard watched.count < Self.flowLimit else {
          samples.isComplete = false
          break
        }
        watched.append(Watched(flow: flow, since: now))
      }
      for index in watched.indices.reversed() {
        if !sample(&watched[index], at: now, into: &samples) { watched.remove(at: index) }
      }
      // Without catching up: what a busy machine left out says nothing now.
      next = max(next + Self.interval, clinux_now())
      clinux_sleep_until(next)
    }
    samples.processorNanoseconds = Int64(clamping: clinux_thread_nanoseconds())
    return samples
  }

  /// Whether the connection may be there the next time.
  private func sample(_ watched: inout Watched, at now: Int64, into samples: inout TCPSamples) -> Bool {
    let flow = watched.flow
    var server = flow.address(of: flow.server)
    var client = flow.address(of: flow.client)
    var state = clinux_tcp_state()
    switch clinux_tcp_look(diagnostics.number, &server, &client, &state) {
    case 0: break
    case -ENOENT: return !watched.wasEstablished && now - watched.since < Self.patience
    default:
      samples.isComplete = false
      return true
    }
    watched.wasEstablished = true
    samples.append(TCPSample(state, of: flow, at: Int64(clamping: clinux_now())))
    return true
  }
}

extension TCPSample {
  fileprivate init(_ state: clinux_tcp_state, of flow: TCPFlow, at time: Int64) {
    self.init(time: time, localPort: flow.server.port, remotePort: flow.client.port)
    segmentBytes = state.segment_bytes
    window = state.window
    slowStartThreshold = state.threshold < UInt32(Int32.max) ? state.threshold : nil
    unacknowledged = state.unacknowledged
    sacked = state.sacked
    lost = state.lost
    retransmitted = state.retransmitted
    totalRetransmitted = state.total_retransmitted
    roundTrip = state.round_trip
    roundTripVariation = state.round_trip_variation
    timeout = state.timeout
    acknowledgedBytes = state.acknowledged_bytes
    unsentBytes = state.unsent_bytes
    congestion = Congestion(rawValue: state.congestion_state)
  }
}
