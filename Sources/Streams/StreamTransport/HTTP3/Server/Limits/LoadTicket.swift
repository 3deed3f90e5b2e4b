/// Names one connection or request among all that share a load; later ones are greater.
struct LoadTicket: Hashable, Comparable, Sendable {
  var number: UInt64
  /// The server that it belongs to.
  var member: UInt32

  static func < (left: LoadTicket, right: LoadTicket) -> Bool { left.number < right.number }
}
