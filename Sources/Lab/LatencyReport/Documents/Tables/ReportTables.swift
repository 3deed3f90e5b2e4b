/// All tables of one experiment, in the order of the report; each is nil where there is nothing to show.
struct ReportTables {
  let results: ExperimentResults
  let names: ArmNames

  var percentiles: Table? {
    MetricTable(
      title: "Excess latency", metrics: [.excessP50, .excessP90, .excessP95, .excessP99, .excessP999, .excessMax],
      note:
        "Median over runs with its 95 % interval, or with the range of runs that are too few for one. The lowest is best."
    ).table(results.arms, names: names)
  }

  var gaps: Table? {
    MetricTable(
      title: "Gaps between events", metrics: [.gapP50, .gapP99, .gapMax, .delayVariationP99, .delayVariationMax],
      note: "Delay variation is the arrival gap less the scheduled gap; it needs no clock in common."
    ).table(results.arms, names: names)
  }

  var stalls: Table? {
    MetricTable(
      title: "Stalls in a run",
      metrics: [
        .stalls100, .stalls200, .stalls500, .stallTime200, .stallLongest, .stallShare100, .stallShare200,
        .stallShare500, .stallRatio,
      ],
      note:
        """
        A stall is a gap that lasts longer than this beyond the schedule; counts and times are of all streams together. \
        The stall ratio counts all waiting for an overdue event, however short.
        """
    ).table(results.arms, names: names)
  }

  var reading: Table? {
    MetricTable(
      title: "A reader's pauses",
      metrics: [.readerPauses5, .readerPauses10, .readerPauseTime5, .readerPauseTime10],
      note:
        """
        A reader takes events at an even pace from the first that arrives, and pauses when the next one is not there; \
        what would have made it wait on a network without delay variation or loss is left out.
        """
    ).table(results.arms, names: names)
  }

  var late: Table? {
    MetricTable(
      title: "Late, blocked and recovered",
      metrics: [.late50, .late100, .late200, .blockedEvents, .blockedTime, .recoveryP50, .recoveryP95],
      note: """
        Late: share of events with an excess above the limit. Blocked: delivered late because another packet was lost. \
        Recovery (p50, p95): from the drop of an event's packet to its delivery, in round trips of the empty link.
        """
    ).table(results.arms, names: names)
  }

  var firstEvent: Table? {
    MetricTable(
      title: "Time to first event, by kind of connection",
      metrics: [.connect, .firstEventCold, .firstEventResumed, .firstEventZeroRTT, .firstEventWarm],
      keepsEmptyColumns: true, note: "– means: not measured in this experiment."
    ).table(results.arms, names: names)
  }

  var recovery: Table? {
    MetricTable(
      title: "Reconnecting, falling back, completeness",
      metrics: [.reconnectGap, .fallback, .lostEvents, .duplicateEvents, .toolRoundTrip, .downloadTime, .goodput]
    ).table(results.arms, names: names)
  }

  var cost: Table? {
    MetricTable(
      title: "Cost per 1 000 events",
      metrics: [
        .packetsPerThousandEvents, .bytesPerThousandEvents, .clientCPUPerThousandEvents, .serverCPUPerThousandEvents,
        .serverLatenessP99, .linkLatenessP99,
      ],
      note:
        "Packets and bytes in both directions, from the link's log. Server late: written after schedule, per event; "
        + "link late: packets left the link after they were due."
    ).table(results.arms, names: names)
  }

  /// Budgets, if there are any.
  var budgets: Table? {
    guard !results.budgets.isEmpty else { return nil }
    return Table(
      title: "Budgets",
      columns: [
        Table.Column("arm"), Table.Column("metric", isWide: true), Table.Column("limit", isNumber: true),
        Table.Column("measured", isNumber: true), Table.Column("outcome"),
      ],
      rows: results.budgets.map { budget in
        let unit = budget.metric.unit.rawValue
        let suffix = unit.isEmpty ? "" : " " + unit
        return [
          Table.Cell(names.label(budget.arm), style: names.style(budget.arm)),
          Table.Cell(budget.metric.label), Table.Cell(NumberText.plain(budget.limit) + suffix),
          budget.value.map { Table.Cell(NumberText.plain($0) + suffix) } ?? Table.notMeasured,
          Table.Cell(budget.isKept ? "✓ kept" : "✗ missed", emphasis: budget.isKept ? .good : .bad),
        ]
      })
  }

  /// For example "1 warm-up, 2 link late".
  private func discards(of arm: String) -> String {
    let reasons = DiscardedRun.Reason.allCases.compactMap { reason -> String? in
      let count = results.discarded.count { $0.arm == arm && $0.reason == reason }
      return count > 0 ? "\(count) \(reason.label)" : nil
    }
    return reasons.isEmpty ? "none" : reasons.joined(separator: ", ")
  }

  var arms: Table {
    Table(
      title: "Arms",
      columns: [
        Table.Column("arm"), Table.Column("client"), Table.Column("server"), Table.Column("runs", isNumber: true),
        Table.Column("seeds", isNumber: true), Table.Column("discarded"), Table.Column("notes", isWide: true),
      ],
      rows: results.arms.map { arm in
        [
          Table.Cell(
            arm.label.count > names.label(arm.name).count ? arm.label : names.label(arm.name),
            style: names.style(arm.name)),
          Table.Cell(arm.client),
          Table.Cell(arm.server), Table.Cell("\(arm.runs.count)"),
          Table.Cell("\(Set(arm.runs.map(\.seed)).count)"),
          Table.Cell(discards(of: arm.name)),
          Table.Cell(((arm.isControl ? ["control"] : []) + arm.notes).joined(separator: "; ")),
        ]
      })
  }
}
