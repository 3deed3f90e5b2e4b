/// A NAT that gives each client flow a new source port at set times; what comes for the old one is dropped.
package struct Rebinding: Codable, Hashable, Sendable {
  package var firstMilliseconds: Double
  /// From one to the next; nil: once.
  package var everyMilliseconds: Double?
  /// Whether the client's address changes too, within its /24.
  package var changesAddress: Bool

  package init(firstMilliseconds: Double, everyMilliseconds: Double? = nil, changesAddress: Bool = false) {
    self.firstMilliseconds = firstMilliseconds
    self.everyMilliseconds = everyMilliseconds
    self.changesAddress = changesAddress
  }
}
