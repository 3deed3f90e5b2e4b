/// An event whose effects are the actions that follow it.
package struct AppliedEvent: Equatable, Sendable {
  package let eventID: String?
  package let envelope: ResolveKitEnvelope
  package let arrivedAt: MonotonicNanoseconds
}
