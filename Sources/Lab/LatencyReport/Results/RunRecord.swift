package import LinkModel

/// The records of one run of one arm: the client's and the link's.
///
/// All times are nanoseconds on the machine's monotonic clock, which client, server and link share.
package struct RunRecord: Codable, Hashable, Sendable {
  /// The arm's name, as `h3`.
  package var arm: String
  /// Counted from 0; runs of different arms with the same repetition are a pair.
  package var repetition: Int
  /// The seed of the link's draws and of the schedule.
  package var seed: UInt64
  /// The place in its stream of the event that asks for a tool's result; nil: none does. A schedule may have draws of its own,
  /// so each seed has its own place.
  package var toolSequence: Int?
  package var client: ClientRecord
  /// The link's log, in the order in which packets entered; empty where there was no link.
  package var packets: [PacketLogEntry]
  /// CPU time of the server's process during the run, nil if it is not known.
  package var serverCPUSeconds: Double?
  /// The server's process and what stands before it, in words, as "ours" or "Caddy 2.11.7".
  package var server: String
  /// The machine's load meanwhile; nil where it was not measured.
  package var load: MachineLoad?

  package init(
    arm: String, repetition: Int, seed: UInt64, toolSequence: Int? = nil, client: ClientRecord,
    packets: [PacketLogEntry], serverCPUSeconds: Double? = nil, server: String, load: MachineLoad? = nil
  ) {
    self.arm = arm
    self.repetition = repetition
    self.seed = seed
    self.toolSequence = toolSequence
    self.client = client
    self.packets = packets
    self.serverCPUSeconds = serverCPUSeconds
    self.server = server
    self.load = load
  }
}
