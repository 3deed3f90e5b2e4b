/// All QUIC datagrams of one side's capture: what that side sent, and what reached it.
struct Trace: Hashable, Sendable {
  var datagrams: [TraceDatagram]

  func datagrams(from sender: TraceDatagram.Sender) -> [TraceDatagram] { datagrams.filter { $0.sender == sender } }

  func datagrams(from sender: TraceDatagram.Sender, with kind: TracePacket.Kind) -> [TraceDatagram] {
    datagrams.filter { $0.sender == sender && $0.has(kind) }
  }

  func packets(from sender: TraceDatagram.Sender, _ kind: TracePacket.Kind) -> [TracePacket] {
    datagrams.filter { $0.sender == sender }.flatMap(\.packets).filter { $0.kind == kind }
  }
}
