/// Requests that wait until the server allows more streams; who has waited longest goes first.
struct RequestQueue {
  /// One request's place.
  typealias Place = OneShot<Void>

  private var waiting: [Place] = []
  /// The requests that were admitted and have not opened their stream yet.
  private var admitted = 0

  var count: Int { waiting.count }

  /// Whether a new request may open a stream, of the `left` that the server allows, without overtaking admitted ones.
  func hasRoom(of left: Int) -> Bool { left > admitted }

  mutating func append(_ place: Place) {
    waiting.append(place)
  }

  mutating func remove(_ place: Place) {
    waiting.removeAll { $0 === place }
  }

  /// Admits as many as the server allows streams; requests that were given up meanwhile take no place.
  mutating func admit(upTo left: Int) {
    let free = max(left - admitted, 0)
    var (end, count) = (0, 0)
    while end < waiting.count, count < free {
      if waiting[end].answer(.success(())) { count += 1 }
      end += 1
    }
    waiting.removeFirst(end)
    admitted += count
  }

  /// One that was let in is back.
  mutating func didEnter() {
    admitted -= 1
  }

  /// Nobody waits here any more.
  mutating func fail(_ reason: UnsentRequest) {
    for place in waiting { place.answer(.failure(reason)) }
    waiting = []
  }
}
