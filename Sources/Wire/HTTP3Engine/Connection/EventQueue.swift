/// The events of a connection in order. Body bytes of one stream that nothing else comes between are joined into one
/// piece: a datagram holds a kilobyte, and an owner that reads many in one turn would hand each on for itself.
///
/// The connection and what is mapped onto its streams share it, so that their events keep their order.
final class EventQueue {
  /// Bytes of one piece at most.
  static let largestPiece = 64 << 10

  /// Without the check for overlapping access, as `piece`, for the reason given at ``StreamState/watch``.
  @exclusivity(unchecked) private var events = Queue<HTTP3Event>()
  /// Body bytes that come after all of `events`.
  @exclusivity(unchecked) private var piece: [UInt8] = []
  private var pieceStream: StreamID?
  /// The piece before, by which it is known how much may come on its stream in one turn.
  private var before: (stream: StreamID, size: Int)?

  var isEmpty: Bool { pieceStream == nil && events.isEmpty }

  func append(_ event: HTTP3Event) {
    endPiece()
    events.append(event)
  }

  func appendBody(_ bytes: UnsafeBufferPointer<UInt8>, on id: StreamID) {
    guard pieceStream == id, piece.count + bytes.count <= Self.largestPiece else {
      endPiece()
      // A large body's next piece is as large as the last one and so takes one allocation; a lone event's is no larger than
      // its bytes. Each piece pays for the room of its stream's next, so what waits for a slow reader is a few times its
      // bytes at most.
      let size = if let before, before.stream == id { before.size } else { 0 }
      piece.reserveCapacity(max(bytes.count, size > Self.largestPiece / 2 ? Self.largestPiece : size))
      piece.append(contentsOf: bytes)
      pieceStream = id
      return
    }
    if piece.capacity < piece.count + bytes.count {
      // Steps of four copy a third of the bytes once more.
      piece.reserveCapacity(max(piece.count + bytes.count, min(4 * piece.count, Self.largestPiece)))
    }
    piece.append(contentsOf: bytes)
  }

  func popFirst() -> HTTP3Event? {
    if events.isEmpty { endPiece() }
    return events.popFirst()
  }

  private func endPiece() {
    guard let id = pieceStream else { return }
    pieceStream = nil
    before = (id, piece.count)
    events.append(.bodyReceived(id, piece))
    piece = []
  }
}
