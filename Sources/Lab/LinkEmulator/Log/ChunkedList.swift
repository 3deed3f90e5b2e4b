/// A list that grows without moving what it holds: a link with a million packets must not stop to copy its log.
package struct ChunkedList<Element> {
  private static var chunkSize: Int { 8_192 }
  private var chunks: [[Element]] = []
  package private(set) var count = 0

  package init() {}

  package mutating func append(_ element: Element) {
    if count % Self.chunkSize == 0 {
      var chunk: [Element] = []
      chunk.reserveCapacity(Self.chunkSize)
      chunks.append(chunk)
    }
    chunks[chunks.count - 1].append(element)
    count += 1
  }

  package subscript(index: Int) -> Element {
    get { chunks[index / Self.chunkSize][index % Self.chunkSize] }
    _modify { yield &chunks[index / Self.chunkSize][index % Self.chunkSize] }
  }

  /// All of it in one array.
  package func joined() -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(count)
    for chunk in chunks { result += chunk }
    return result
  }
}

extension ChunkedList: Sendable where Element: Sendable {}
