import LatencyReport
import StreamTransport
import Synchronization

/// One run of one client: opens the streams in the plan's order, follows them, and stops at the deadline.
struct ClientRun: Sendable {
  let plan: ClientPlan
  let client: any StreamClient
  /// Called with each event as it comes, on the thread that received it.
  var onArrival: (@Sendable (EventArrival) -> Void)?

  func run() async -> ClientRecord {
    var plan = plan
    // A download is recorded as a stream with one event.
    if plan.downloadBytes != nil { plan.offsetsNanoseconds = [[0]] }
    let recorder = RunRecorder(plan: plan, onArrival: onArrival)
    await client.prepare()
    let cpuBefore = ProcessorTime.seconds
    let requested = PreciseTimer.now
    let start = requested + plan.leadNanoseconds
    recorder.requested(0, .cold, at: requested)
    await Self.within(start + plan.deadlineNanoseconds) {
      recorder.connected(at: await client.connect())
      if let count = recorder.plan.downloadBytes {
        await download(count, recorder)
      } else {
        await follow(start, recorder)
      }
    }
    let ended = PreciseTimer.now
    let cpuSeconds = ProcessorTime.seconds - cpuBefore
    let facts = client.facts
    await client.close()
    let outcome = recorder.outcome(start: plan.downloadBytes == nil ? start : requested)
    return ClientRecord(
      spoken: facts.spoken, connections: facts.connections, requested: requested,
      connected: outcome.connected ?? facts.connected, start: start, ended: ended, openings: outcome.openings,
      events: outcome.events, reconnects: outcome.reconnects, duplicates: outcome.duplicates, cpuSeconds: cpuSeconds,
      software: facts.software, failure: Self.failure(outcome))
  }

  /// Stream 0 alone until its first event is there, which shows that the connection carries; then all the others.
  private func follow(_ start: Int64, _ recorder: RunRecorder) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await follow(0, start, recorder)
        // Where it failed permanently, the others still have their chance.
        recorder.firstOpening.answer(.success(()))
      }
      // A cancelled wait ends in the loop below.
      try? await recorder.firstOpening.value()
      // Over HTTP/1.1, and with a process for each, a stream opens a connection of its own.
      let isAlone = [ClientArm.h1.rawValue, StreamClientFacts.unknown].contains(client.facts.spoken)
      for stream in recorder.plan.offsetsNanoseconds.indices.dropFirst() where !Task.isCancelled {
        group.addTask {
          recorder.requested(stream, isAlone ? .cold : .warm, at: PreciseTimer.now)
          await follow(stream, start, recorder)
        }
      }
    }
  }

  private func follow(_ stream: Int, _ start: Int64, _ recorder: RunRecorder) async {
    do {
      try await client.follow(stream, from: start, recorder)
    } catch is CancellationError {
      // The deadline: what did not come shows in the record.
    } catch {
      recorder.failed("Stream \(stream): \(error)")
    }
  }

  private func download(_ count: Int, _ recorder: RunRecorder) async {
    let received = Mutex(0)
    do {
      try await client.download(count) { size in
        let total = received.withLock { total in
          total += size
          return total
        }
        let now = PreciseTimer.now
        recorder.opened(0, at: now)
        guard total == count else { return }
        let requested = recorder.outcome(start: 0).openings.first?.requested ?? now
        recorder.received(OriginPayload(sequence: 0, scheduled: requested, written: requested), on: 0, at: now)
      }
      let total = received.withLock { $0 }
      if total != count { recorder.failed("The download brought \(total) of \(count) bytes.") }
    } catch {
      let total = received.withLock { $0 }
      let reason = error is CancellationError ? "The deadline passed." : "\(error)"
      recorder.failed("The download stopped after \(total) of \(count) bytes: \(reason)")
    }
  }

  private static func failure(_ outcome: RunRecorder.Outcome) -> String? {
    var sentences = outcome.failures
    let missing = outcome.events.count { $0.received == nil }
    if missing > 0 {
      sentences.append("\(missing) of \(outcome.events.count) events did not come by the deadline.")
      if let reason = outcome.lastBreak { sentences.append("The last break: \(reason)") }
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  /// Runs `work` and cancels it at the deadline.
  private static func within(_ deadline: Int64, _ work: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await work() }
      group.addTask { try? await Task.sleep(for: .nanoseconds(max(0, deadline - PreciseTimer.now))) }
      await group.next()
      group.cancelAll()
    }
  }
}
