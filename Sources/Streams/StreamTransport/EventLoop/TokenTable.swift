/// Values under tokens, found by their place. A token that was removed finds nothing, also when its place is used again.
package struct TokenTable<Value> {
  private struct Place {
    /// Of the token that is or was here last; never 0.
    var generation: UInt32 = 0
    var value: Value?
  }

  private var places: [Place] = []
  private var free: [UInt32] = []

  package init() {}

  /// A token is a place and how often it was used: never below 2³².
  package mutating func insert(_ value: Value) -> UInt64 {
    let index: UInt32
    if let unused = free.popLast() {
      index = unused
    } else {
      index = UInt32(places.count)
      places.append(Place())
    }
    let generation = max(places[Int(index)].generation &+ 1, 1)
    places[Int(index)] = Place(generation: generation, value: value)
    return UInt64(generation) << 32 | UInt64(index)
  }

  package var values: [Value] { places.compactMap(\.value) }

  package subscript(token: UInt64) -> Value? {
    let index = Int(token & 0xffff_ffff)
    guard index < places.count, places[index].generation == token >> 32 else { return nil }
    return places[index].value
  }

  /// Removes a value and returns it; nil if there was none.
  @discardableResult
  package mutating func remove(_ token: UInt64) -> Value? {
    guard let value = self[token] else { return nil }
    let index = Int(token & 0xffff_ffff)
    places[index].value = nil
    free.append(UInt32(index))
    return value
  }
}
