import CodexWorkersClient
import ResolveKitCore
import Testing

@testable import WorkerRuntime

/// The client over sockets against each of the manners that a server may have: it sees the same.
@Suite(.timeLimit(.minutes(5)))
struct DialectTests {
  @Test(arguments: Dialect.allCases)
  func aClientSeesTheSameInEachDialect(_ dialect: Dialect) async throws {
    try await LoopbackRuntime.run({
      $0.dialect = dialect
      $0.keptEvents = 4
    }) { runtime in
      let client = try await runtime.client(of: "ana@example.com")
      let id = "w:dialect"
      let made = try await client.register(
        WorkerRegistration(workerID: id, adapter: "in_memory", metadata: ["empty": [:], "a": 1]))
      #expect(made.workerID == id && !made.isReplay)
      #expect(try await client.snapshot(of: id).metadata["a"] == 1)
      for number in 1...8 {
        let stored = try await client.store(
          WorkerEventDraft(payload: ["n": .number(Double(number)), "params": [:]]), in: id)
        #expect(stored.payload["n"] == .number(Double(number)))
      }
      let answer = try await client.send(WorkerControlRequest(id: "r", method: "thread/list"), to: id)
      #expect(answer.isOK)
      try await runtime.server.core.tidy()
      // A cursor that is too old: by its status, or behind 200.
      var seen: [Int64] = []
      var lost: [ClosedRange<Int64>] = []
      try await client.watch(id, after: 1) { update in
        switch update {
        case .event(let event):
          seen.append(event.sequence)
          return event.type == "worker.response" ? .enough : .taken
        case .lost(let range):
          lost.append(range)
          // Behind 200 nothing says where the log begins: it continues at its end.
          return dialect == .laravel ? .enough : .taken
        case .rewound, .snapshot, .link: return .taken
        }
      }
      #expect(lost.count == 1 && lost.first?.lowerBound == 2)
      let latest = try await client.snapshot(of: id).latestSequence
      switch dialect {
      case .runtime: #expect(seen.first == (lost.first?.upperBound ?? 0) + 1 && seen.last == latest)
      case .laravel: #expect(lost.first?.upperBound == latest && seen.isEmpty)
      }
      // Behind it the stream continues in each.
      var next: [String] = []
      _ = try await client.store(WorkerEventDraft(type: "worker.note", payload: [:]), in: id)
      try await client.watch(id, after: latest) { update in
        guard case .event(let event) = update else { return .taken }
        next.append(event.type)
        return .enough
      }
      #expect(next == ["worker.note"])
      let stop = try await client.stop(id, reason: "done")
      #expect(stop.status == .stopped)
      await #expect { try await client.store(WorkerEventDraft(payload: [:]), in: id) } throws: {
        ($0 as? WorkersError)?.code == .conflict
      }
    }
  }
}
