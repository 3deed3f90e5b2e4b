/// A packet that leaves a link.
package struct Delivery: Hashable, Sendable {
  package var bytes: [UInt8]
  package var direction: LinkDirection
  /// The number of its log entry.
  package var number: Int
  /// Whether it is the second copy; its log entry has the cause `duplicated`.
  package var isDuplicate: Bool
  /// The time at which it should leave, on the caller's clock in nanoseconds.
  package var due: Int64
  /// The number of times that the NAT had changed its bindings when the packet passed it; nil without a NAT.
  ///
  /// Whole IP packets are rewritten already. A bare UDP payload has no address, so its carrier changes the path.
  package var rebinding: Int?

  package init(
    bytes: [UInt8], direction: LinkDirection, number: Int, isDuplicate: Bool = false, due: Int64, rebinding: Int? = nil
  ) {
    self.bytes = bytes
    self.direction = direction
    self.number = number
    self.isDuplicate = isDuplicate
    self.due = due
    self.rebinding = rebinding
  }
}
