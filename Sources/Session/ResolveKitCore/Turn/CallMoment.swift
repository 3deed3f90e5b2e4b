/// The time of a fact about calls, and whether a result may be sent then: without a session in use it waits for the
/// next stream.
struct CallMoment: Equatable, Sendable {
  let now: MonotonicNanoseconds
  let mayDeliver: Bool
}
