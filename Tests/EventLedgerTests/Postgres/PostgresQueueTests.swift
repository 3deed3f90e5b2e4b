import TestSupport
import Testing

@testable import EventLedgerPostgres

struct PostgresQueueTests {
  @Test func waitersAreServedInOrderWhenOthersLeave() {
    for seed in UInt64(1)...200 {
      var random = SeededGenerator(seed: seed)
      var queue = PostgresQueue<Int>(limit: 5, patience: 3)
      // Number and age of each that waits.
      var expected: [(number: Int, age: Int)] = []
      var reserved: [Int] = []
      for _ in 0..<200 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: reserved.append(queue.nextNumber())
        case 1:
          // Numbers need not come in the order in which they were given.
          guard let index = reserved.indices.randomElement(using: &random) else { break }
          let number = reserved.remove(at: index)
          #expect(queue.add(number, as: number) == (expected.count < 5))
          if expected.count < 5 { expected.append((number, 0)) }
        case 2:
          let first = expected.map(\.number).min()
          #expect(queue.removeFirst() == first, "seed \(seed)")
          expected.removeAll { $0.number == first }
        case 3:
          guard let number = expected.randomElement(using: &random)?.number else { break }
          #expect(queue.remove(number) == number)
          #expect(queue.remove(number) == nil)
          expected.removeAll { $0.number == number }
        case 4:
          expected = expected.map { ($0.number, $0.age + 1) }
          // A waiter behind one that came later waits for it.
          var due: [Int] = []
          for entry in expected.sorted(by: { $0.number < $1.number }) {
            guard entry.age >= 3 else { break }
            due.append(entry.number)
          }
          #expect(queue.tick() == due, "seed \(seed)")
          expected.removeAll { due.contains($0.number) }
        default: #expect(queue.isEmpty == expected.isEmpty)
        }
      }
    }
  }
}
