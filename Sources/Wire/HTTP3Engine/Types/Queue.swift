/// A first-in, first-out queue over one array; both ends cost amortised constant time.
struct Queue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }
  var count: Int { elements.count - head }
  var first: Element? { head < elements.count ? elements[head] : nil }

  /// The elements in order, without taking them.
  func forEach(_ body: (Element) -> Void) {
    for case let element? in elements[head...] { body(element) }
  }

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64, head > elements.count / 2 {
      // One that is never empty would otherwise keep the places of all that it ever held.
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}
