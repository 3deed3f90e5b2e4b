import LinkModel

/// Draws one run: all times in milliseconds from its schedule's start, thinned to what a figure can show.
struct TimelineBuilder {
  private let run: RunTimes
  private let eventLimit: Int
  private static let dropLimit = 1000
  private static let stallLimit = 500
  private static let sampleLimit = 400

  init(_ run: RunTimes, eventLimit: Int) {
    self.run = run
    self.eventLimit = max(1, eventLimit)
  }

  var timeline: PlotData.Timeline {
    let packets = run.packets
    let delivered = packets.filter { $0.direction == .toClient && $0.verdict == .delivered }
    let events = thinnedEvents
    return PlotData.Timeline(
      arm: run.record.arm, repetition: run.record.repetition, events: events,
      drops: Self.spread(packets.filter { $0.verdict == .dropped }, limit: Self.dropLimit).map {
        PlotData.TimelineDrop(at: time($0.entered), direction: $0.direction, cause: $0.cause)
      },
      stalls: Stall.all(in: run, longerThan: 100).sorted { $0.milliseconds > $1.milliseconds }.prefix(Self.stallLimit)
        .sorted { ($0.stream, $0.from) < ($1.stream, $1.from) }
        .map { PlotData.TimelineStall(stream: $0.stream, from: time($0.from), to: time($0.to)) },
      queue: samples(
        packets.filter { $0.direction == .toClient }.map { (time($0.entered), Double($0.queuedBytes)) }),
      delay: samples(
        delivered.compactMap { packet in
          (packet.left ?? packet.due).map {
            (time(packet.entered), RunTimes.milliseconds(from: packet.entered, to: $0).rounded(to: 1000))
          }
        }),
      leftOut: run.record.client.events.count - events.count)
  }

  /// The events to draw. Of too many, the latest half of the limit is kept, and a regular choice of the others.
  private var thinnedEvents: [PlotData.TimelineEvent] {
    var events = run.streams.flatMap(\.events)
    if events.count > eventLimit {
      let byExcess = events.sorted { run.excessMilliseconds($0) > run.excessMilliseconds($1) }
      let late = byExcess.prefix(eventLimit / 2)
      let isLate = Set(late)
      events = late + Self.spread(events.filter { !isLate.contains($0) }, limit: eventLimit - late.count)
    }
    return events.sorted { ($0.scheduled, $0.stream, $0.sequence) < ($1.scheduled, $1.stream, $1.sequence) }.map {
      PlotData.TimelineEvent(stream: $0.stream, scheduled: time($0.scheduled), received: $0.received.map(time))
    }
  }

  /// At most `limit` of the elements, evenly taken.
  private static func spread<Element>(_ elements: [Element], limit: Int) -> [Element] {
    guard elements.count > limit else { return elements }
    return (0..<max(0, limit)).map { elements[$0 * elements.count / limit] }
  }

  /// At most 400 points; of several that fall together the highest is kept, as peaks are what one looks for.
  private func samples(_ values: [(at: Double, value: Double)]) -> [PlotData.TimelineSample] {
    let size = max(1, (values.count + Self.sampleLimit - 1) / Self.sampleLimit)
    return stride(from: 0, to: values.count, by: size).compactMap { start in
      values[start..<min(start + size, values.count)].max { $0.value < $1.value }
        .map { PlotData.TimelineSample(at: $0.at, value: $0.value) }
    }
  }

  private func time(_ nanoseconds: Int64) -> Double {
    RunTimes.milliseconds(from: run.record.client.start, to: nanoseconds).rounded(to: 1000)
  }
}

extension Double {
  /// To a fraction's whole number, as 0.001 by 1 000: short in JSON.
  func rounded(to fraction: Double) -> Double { (self * fraction).rounded() / fraction }
}
