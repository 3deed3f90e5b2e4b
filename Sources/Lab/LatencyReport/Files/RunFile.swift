package import Foundation
import LinkModel

/// One run as it was recorded, in columns: some 30 bytes a packet and 25 an event, and still JSON.
///
/// Times are differences in nanoseconds: an event's `scheduled` from the schedule's start, its `written` and
/// `received` from its `scheduled`; a packet's `entered` from the packet before (the first from the schedule's start),
/// its `due` from its `entered`, its `left` from its `due`, or from its `entered` where it has no `due`.
package struct RunFile: Codable {
  package static let currentVersion = 1

  var version: Int
  var arm: String
  var repetition: Int
  var seed: UInt64
  var toolSequence: Int?
  var load: MachineLoad?
  var server: String
  var serverCPUSeconds: Double?
  /// All but its events.
  var client: ClientRecord
  var events: EventColumns
  var packets: PacketColumns

  package init(_ record: RunRecord) {
    version = Self.currentVersion
    arm = record.arm
    repetition = record.repetition
    seed = record.seed
    toolSequence = record.toolSequence
    load = record.load
    server = record.server
    serverCPUSeconds = record.serverCPUSeconds
    client = record.client
    client.events = []
    events = EventColumns(record.client.events, start: record.client.start)
    packets = PacketColumns(record.packets, start: record.client.start)
  }

  /// Throws if the columns do not fit together.
  package func record() throws(FileError) -> RunRecord {
    var client = client
    client.events = try events.rows(start: client.start)
    return RunRecord(
      arm: arm, repetition: repetition, seed: seed, toolSequence: toolSequence, client: client,
      packets: try packets.rows(start: client.start), serverCPUSeconds: serverCPUSeconds, server: server, load: load)
  }

  package static func write(_ record: RunRecord, to url: URL) throws(FileError) {
    try VersionedJSON.write(RunFile(record), to: url)
  }

  package static func read(_ url: URL) throws(FileError) -> RunRecord {
    try decode(try VersionedJSON.read(url), name: url.path)
  }

  package static func decode(_ data: Data, name: String) throws(FileError) -> RunRecord {
    let file = try VersionedJSON.decode(
      RunFile.self, from: data, name: name, what: "a recorded run", versions: currentVersion...currentVersion)
    do { return try file.record() } catch { throw .malformed(name, what: "a recorded run", error) }
  }
}
