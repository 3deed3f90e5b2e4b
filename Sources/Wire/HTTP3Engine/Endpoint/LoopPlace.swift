/// One loop's place among those that share a server's address.
package struct LoopPlace: Hashable, Sendable {
  /// The place, from 0; below the number of loops.
  package let index: Int
  package let steering: LoopSteering

  package init(index: Int, steering: LoopSteering) {
    self.index = index
    self.steering = steering
  }

  /// Changes a random connection id so that it leads to this loop.
  func claim(_ id: inout [UInt8]) { steering.direct(&id, to: index) }

  /// Whether an id leads to this loop.
  func isNamed(by id: [UInt8]) -> Bool { steering.loop(of: id) == index }
}
