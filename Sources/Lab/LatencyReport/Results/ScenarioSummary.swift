package import LinkModel

package struct ScenarioSummary: Codable, Hashable, Sendable {
  package var name: String
  package var about: String
  /// The source of its numbers.
  package var source: String
  package var link: LinkConditions
  /// The workload in one line, as "8 streams of 50 tokens/s, 5 s".
  package var workload: String
  package var streams: Int
  package var tokensPerSecond: Double
  /// Size of one event on the stream, including all its lines; used to find events in the packet log.
  package var eventBytes: Int
  /// Size of the one body that is downloaded instead of events; nil: events.
  package var downloadBytes: Int?
  /// Whether a separate download fills the link beside the streams.
  package var crossTraffic: Bool?

  package init(
    name: String, about: String, source: String, link: LinkConditions, workload: String, streams: Int,
    tokensPerSecond: Double, eventBytes: Int = 85, downloadBytes: Int? = nil,
    crossTraffic: Bool? = nil
  ) {
    self.name = name
    self.about = about
    self.source = source
    self.link = link
    self.workload = workload
    self.streams = streams
    self.tokensPerSecond = tokensPerSecond
    self.eventBytes = eventBytes
    self.downloadBytes = downloadBytes
    self.crossTraffic = crossTraffic
  }
}
