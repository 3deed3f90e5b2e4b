import LinkModel

/// The shape of a scenario file.
enum ScenarioShape {
  static let scenario = Shape.object([
    .init(
      "name", "Lower-case letters, digits and hyphens; seeds the link's weather.", .text(most: 64), isRequired: true),
    .init("about", "What it is like and what it is for.", .text(most: 2_000), isRequired: true),
    .init("source", "Where its numbers come from.", .text(most: 2_000), isRequired: true),
    .init("link", "What the link does to packets.", link, isRequired: true),
    .init("workload", "What the link has to carry.", workload, isRequired: true),
    .init("arms", "The clients to compare, as h3, h2, h1, auto.", .list(of: .text(most: 64), .init(1, 32))),
    .init("repetitions", "Runs of each arm.", .integer(.init(1, 100_000))),
    .init("headline", "The metric that the verdict is about, as excessP95 or connect.", .text(most: 64)),
  ])

  static let link = Shape.link([
    .init("bothWays", "The same toward the client and toward the server.", direction),
    .init("toClient", "From the server to the client: down.", direction),
    .init("toServer", "From the client to the server: up.", direction),
    .init(
      "rebinding", "A NAT that gives each flow a new source port at set times, counted from the link's first packet.",
      .object([
        .init("firstMilliseconds", "When the first change comes.", time, isRequired: true),
        .init("everyMilliseconds", "From one change to the next; without it there is one.", period),
        .init("changesAddress", "Whether the client's address changes too.", .flag, isRequired: true),
      ])),
  ])

  static let workload = Shape.object([
    .init(
      "streams", "Streams at the same time; HTTP/1.1 takes a connection for each.",
      .integer(.init(1, Double(Workload.Limits.streams))), isRequired: true),
    .init(
      "durationSeconds", "From the first to the last event.",
      .number(.init(0, Workload.Limits.seconds, excludesLeast: true)), isRequired: true),
    .init("cadence", "When a stream's events are due.", cadence, isRequired: true),
    .init(
      "isAligned", "Whether all streams' events are due at the same times; without it streams are staggered evenly.",
      .flag),
    .init(
      "eventBytes", "Size of one event on the stream, all its lines included; 85 without it.",
      .integer(
        .init(Double(Workload.Limits.eventBytes.lowerBound), Double(Workload.Limits.eventBytes.upperBound)))),
    .init(
      "thinking", "A time in which nothing is due.",
      .object([
        .init("startMilliseconds", "From the schedule's start.", scheduleTime, isRequired: true),
        .init(
          "durationMilliseconds", "How long.",
          .number(.init(0, Workload.Limits.seconds * 1_000, excludesLeast: true)), isRequired: true),
      ])),
    .init(
      "tool", "A tool call in the middle: the events after it wait for the client's result.",
      .object([.init("atMilliseconds", "From the schedule's start.", scheduleTime, isRequired: true)])),
    .init(
      "downloadBytes", "One body of this size instead of events.",
      .integer(.init(1, Double(Workload.Limits.downloadBytes)))),
    .init("crossTraffic", "Whether a download of its own fills the link beside the streams.", .flag),
  ])

  static let cadence = Shape.choice([
    .init("steady", "Events at equal distances.", .object([tokensPerSecond])),
    .init(
      "jittered", "Log-normal gaps with this mean rate.",
      .object([
        tokensPerSecond,
        .init(
          "sigma", "Standard deviation of the gap's logarithm.", .number(.init(0, Workload.Limits.sigma)),
          isRequired: true),
      ])),
    .init(
      "bursts", "Several events at once, again and again.",
      .object([
        .init(
          "tokens", "Events at once.", .integer(.init(1, Double(Workload.Limits.burstTokens))), isRequired: true),
        .init(
          "everyMilliseconds", "From one burst to the next.", .number(.init(1, Workload.Limits.seconds * 1_000)),
          isRequired: true),
      ])),
    .init(
      "recorded", "Times of a real stream, repeated until the duration is full.",
      .object([
        .init(
          "offsetsMilliseconds", "From the recording's start, never descending.",
          .list(of: scheduleTime, .init(1, Double(Workload.Limits.recordedOffsets))), isRequired: true)
      ])),
  ])

  private static let tokensPerSecond = Shape.Field(
    "tokensPerSecond", "Events a second on each stream.",
    .number(.init(0, Workload.Limits.tokensPerSecond, excludesLeast: true)), isRequired: true)
  private static let scheduleTime = Shape.number(.init(0, Workload.Limits.seconds * 1_000))
  static let time = Shape.number(.init(0, 1e9))
  static let period = Shape.number(.init(1, 1e9))
}
