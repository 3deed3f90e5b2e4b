import CodexWorkersClient
import ResolveKitCore

/// Workers and their events as lines for a person. What a server or a device wrote is shown with escapes where it could
/// steer a terminal or pass for something else.
enum WorkersText {
  private static let longestPayload = 400

  static func list(_ workers: [WorkerSnapshot]) -> [String] {
    guard !workers.isEmpty else { return ["There are no workers."] }
    let head = ["ID", "STATUS", "DEVICE", "SEQ", "ADAPTER", "WORKSPACE", "LAG"]
    return table(
      [head]
        + workers.map { worker in
          [
            worker.id, worker.status.word, badge(of: worker), String(worker.latestSequence), worker.adapter ?? "-",
            worker.workspace ?? "-", lag(worker.projection),
          ]
        })
  }

  static func show(_ worker: WorkerSnapshot) -> [String] {
    let heartbeat = worker.heartbeat
    var rows = [
      ["worker", worker.id], ["status", worker.status.word], ["device", badge(of: worker)],
      ["latest event", String(worker.latestSequence)], ["adapter", worker.adapter ?? "-"],
      ["workspace", worker.workspace ?? "-"], ["codex home", worker.codexHome ?? "-"],
      ["started", worker.startedAt ?? "-"], ["stopped", worker.stoppedAt ?? "-"], ["updated", worker.updatedAt ?? "-"],
      ["last heartbeat", heartbeat.lastAt ?? "never"],
    ]
    if let backend = worker.backend {
      let words = [backend.name, backend.health, backend.version]
      rows.append(["backend", words.compactMap(\.self).joined(separator: ", ")])
    }
    if worker.projection != nil { rows.append(["read model", lag(worker.projection)]) }
    if !worker.metadata.isEmpty { rows.append(["metadata", JSONValue.object(worker.metadata).jsonText]) }
    return table(rows)
  }

  static func created(_ worker: WorkerCreation) -> String {
    worker.isReplay
      ? "\(worker.workerID.visible) was there already; it is \(worker.status.word.visible)"
      : "\(worker.workerID.visible) is \(worker.status.word.visible)"
  }

  /// The badge from a snapshot alone, whose age is the server's reckoning.
  static func badge(of worker: WorkerSnapshot) -> String {
    var health = WorkerHealth()
    health.take(worker, at: .zero)
    return text(health.badge(at: .zero))
  }

  static func text(_ badge: WorkerHealth.Badge) -> String {
    switch badge {
    case .fresh(let age), .stale(let age): "\(badge.word), \(age.components.seconds) s"
    case .missing, .doubtful, .stopped, .failed: badge.word
    }
  }

  static func row(_ update: WorkerUpdate) -> String? {
    switch update {
    case .event(let event): row(event)
    case .lost(let range): lost(range)
    case .rewound(let from, let to): rewound(from, to)
    case .snapshot: nil
    case .link(let link): row(link)
    }
  }

  /// The entries of a timeline, and before them what is not among them.
  static func timeline(_ timeline: WorkerTimeline) -> [String] {
    let rows = timeline.entries.map { entry in
      switch entry {
      case .event(let event): row(event)
      case .receipt(let receipt): own(receipt)
      case .lost(let range): lost(range)
      case .rewound(let from, let to): rewound(from, to)
      }
    }
    return (timeline.dropped > 0 ? ["-- \(timeline.dropped) earlier ones: remote workers watch --after 0"] : []) + rows
  }

  /// The end of a request of this machine.
  static func own(_ receipt: WorkerReceipt) -> String { row(receipt) + "  (yours)" }

  private static func lost(_ range: ClosedRange<Int64>) -> String {
    "-- events \(range.lowerBound) to \(range.upperBound) are missing: not all are kept any more"
  }

  private static func rewound(_ from: Int64, _ to: Int64) -> String {
    "-- the log was begun anew: it ended at \(from), and ends at \(to) now"
  }

  static func row(_ event: WorkerEvent) -> String {
    if let receipt = WorkerReceipt(event) { return row(receipt) }
    let what = event.method ?? ""
    var payload = event.payload
    for name in ["source", "method", "occurred_at"] { payload[name] = nil }
    let text = payload.isEmpty ? "" : JSONValue.object(payload).cut(toBytes: longestPayload).visibleText
    return [String(event.sequence), event.occurredAt.visible, event.type.visible, what.visible, text]
      .filter { !$0.isEmpty }.joined(separator: "  ")
  }

  static func row(_ receipt: WorkerReceipt) -> String {
    let end =
      switch receipt.outcome {
      case .response(let value): "answered  \(value.cut(toBytes: longestPayload).visibleText)"
      case .failure(let code, let message, _, _): "failed  \(code.visible): \(message.visible)"
      }
    return "\(receipt.sequence)  \(receipt.method.visible) \(receipt.requestID.visible) \(end)"
  }

  private static func row(_ link: WorkerLink) -> String? {
    switch link {
    case .connecting: nil
    case .live: nil
    case .waiting(let time, let error?): "-- \(error.message) Next attempt in \(milliseconds(time)) ms."
    case .waiting: nil
    case .signInNeeded(let error): "-- \(error.message)"
    }
  }

  private static func milliseconds(_ time: Duration) -> Int64 {
    time.components.seconds * 1_000 + time.components.attoseconds / 1_000_000_000_000_000
  }

  private static func lag(_ projection: WorkerProjection?) -> String {
    projection.map { $0.lagEvents == 0 ? $0.status : "\($0.status), \($0.lagEvents) events" } ?? "-"
  }

  /// Rows in columns; the last column is as wide as its text.
  private static func table(_ rows: [[String]]) -> [String] {
    let rows = rows.map { $0.map(\.visible) }
    let widths = (0..<(rows.first?.count ?? 0)).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { index, cell in
        index == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[index] - cell.count + 2)
      }.joined()
    }
  }
}
