import HTTP3Engine

/// A server's loops as one of them sees the others: each datagram is for one, which has its connection.
///
/// The kernel gives a datagram to the socket of that loop (``UDPSocket/steer(_:)``), but not always: the sockets' indices
/// change when one of them closes, and of datagrams from one address that it has joined (UDP_GRO) it looks at the first alone.
struct LoopNeighbours: Sendable {
  /// What was done with a datagram.
  enum Outcome: Equatable {
    /// It is for this loop.
    case kept
    case handedOn
    /// It is for another, which has no room for it or is closed.
    case lost
  }

  let place: LoopPlace
  private let boxes: [DatagramBox]

  /// The view from each of the loops.
  static func all(_ steering: LoopSteering) -> [LoopNeighbours] {
    let boxes = (0..<steering.loopCount).map { _ in DatagramBox() }
    return boxes.indices.map {
      LoopNeighbours(place: LoopPlace(index: $0, steering: steering), boxes: boxes)
    }
  }

  /// What others hand on to this loop.
  var box: DatagramBox { boxes[place.index] }

  /// Hands a datagram on if it is for another loop.
  func handOn(_ datagram: UnsafeRawBufferPointer, _ path: NetworkPath, _ ecn: ECNCodepoint) -> Outcome {
    let index = place.steering.loop(of: datagram)
    guard index != place.index else { return .kept }
    return boxes[index].put(DatagramBox.Datagram(bytes: Array(datagram), path: path, ecn: ecn)) ? .handedOn : .lost
  }
}
