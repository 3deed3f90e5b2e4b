import LinkModel

/// The latest events of the drawn runs, each with the drop that preceded it.
struct LatestEvents {
  struct Row: Hashable, Sendable {
    var arm: String
    var event: PlotData.TimelineEvent
    /// Nil: it never arrived.
    var excess: Double?
    var drop: PlotData.TimelineDrop?
  }

  let rows: [Row]

  init(_ results: ExperimentResults, count: Int = 10) {
    let delay = results.scenario.link.toClient.oneWayDelayMilliseconds
    let repair = results.scenario.link.roundTripMilliseconds + delay
    let all = results.plots.timelines.flatMap { timeline in
      timeline.events.filter(\.scheduled.isFinite).map { event in
        (timeline, Row(arm: timeline.arm, event: event, excess: event.received.map { $0 - event.scheduled - delay }))
      }
    }
    let latest = all.sorted { left, right in
      let (l, r) = (left.1.excess ?? .infinity, right.1.excess ?? .infinity)
      return l == r ? left.1.event.scheduled < right.1.event.scheduled : l > r
    }
    rows = latest.prefix(count).filter { $0.1.excess.map { $0 > 0 } ?? true }.map { timeline, row in
      var row = row
      row.drop = Self.drop(before: row.event, in: timeline, repairMilliseconds: repair)
      return row
    }
  }

  /// The last drop toward the client that was early enough: a packet that is sent again comes three one-way delays
  /// after the drop at the earliest (the next packet, its acknowledgement, the retransmission).
  private static func drop(
    before event: PlotData.TimelineEvent, in timeline: PlotData.Timeline, repairMilliseconds: Double
  ) -> PlotData.TimelineDrop? {
    // An event that never arrived may wait for any drop before it was due. A millisecond is left for the link's own lateness.
    let latest = event.received.map { $0 - repairMilliseconds + 1 } ?? event.scheduled
    return timeline.drops.filter { $0.direction == .toClient && $0.at <= latest }.max { $0.at < $1.at }
  }

  func table(names: ArmNames) -> Table? {
    guard !rows.isEmpty else { return nil }
    return Table(
      title: "The latest events of the drawn runs",
      columns: [
        Table.Column("arm"), Table.Column("stream", isNumber: true),
        Table.Column("scheduled", unit: "s", isNumber: true),
        Table.Column("received", unit: "s", isNumber: true), Table.Column("excess", unit: "ms", isNumber: true),
        Table.Column("last drop that may have held it up", isWide: true),
      ],
      rows: rows.map { row in
        [
          Table.Cell(names.label(row.arm), style: names.style(row.arm)), Table.Cell("\(row.event.stream)"),
          Table.Cell(NumberText.fixed(row.event.scheduled / 1_000, decimals: 3)),
          row.event.received.map { Table.Cell(NumberText.fixed($0 / 1_000, decimals: 3)) }
            ?? Table.Cell("never", emphasis: .bad),
          row.excess.map { Table.Cell(NumberText.fixed($0, decimals: 1)) } ?? Table.notMeasured,
          row.drop.map { drop(of: row, $0) } ?? Table.Cell("none early enough", emphasis: .quiet),
        ]
      },
      note: """
        The last packet dropped toward the client at least three one-way delays before the event came, so that its \
        repair may have been what the event waited for. A drop after the event was due may have been its own packet; \
        one before holds up what follows on the same connection over TCP. Streams are counted from 0.
        """)
  }

  private func drop(of row: Row, _ drop: PlotData.TimelineDrop) -> Table.Cell {
    let distance = drop.at - row.event.scheduled
    let side = distance < 0 ? "before" : "after"
    return Table.Cell(
      "\(NumberText.fixed(drop.at / 1_000, decimals: 3)) s, \(LinkText.direction(drop.direction)), "
        + CauseText.name(drop.cause),
      detail: "\(NumberText.fixed(abs(distance), decimals: 1)) ms \(side) it was due")
  }
}
