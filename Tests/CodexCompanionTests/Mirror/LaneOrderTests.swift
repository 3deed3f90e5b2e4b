import TestSupport
import Testing

@testable import CodexRemoteContract

/// The order in which a lane performs requests.
struct LaneOrderTests {
  /// A line for each request, and which of them are begun before any has ended.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let lines: [LaneOrder.Line]
    let begun: [Bool]

    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "one thread", lines: [.thread("a"), .thread("a"), .thread("a")], begun: [true, false, false]),
    Case(name: "two threads", lines: [.thread("a"), .thread("b"), .thread("a")], begun: [true, true, false]),
    Case(name: "reads", lines: [.thread("a"), .free, .thread("a"), .free], begun: [true, true, false, true]),
    Case(name: "new threads", lines: [.newThread, .newThread, .thread("a")], begun: [true, true, true]),
    Case(name: "the only thread", lines: [.newThread, .onlyThread, .newThread], begun: [true, false, false]),
    Case(name: "the only thread first", lines: [.onlyThread, .thread("a"), .free], begun: [true, false, true]),
    Case(
      name: "more than are performed at once", lines: (0..<10).map { .thread("\($0)") },
      begun: Array(repeating: true, count: LaneOrder.maximumBegun) + [false, false]),
  ]

  @Test(arguments: cases)
  func whatKeepsWhatBack(_ test: Case) {
    var order = LaneOrder()
    let numbers = test.lines.compactMap { order.enter($0, isCounted: true) }
    #expect(numbers.map { order.isBegun($0) } == test.begun)
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func eachIsBegunOnceAndAThreadsRequestsInOrder(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var order = LaneOrder()
    var open: [Int] = []
    var begun: [Int] = []
    var threads: [Int: Int] = [:]
    for _ in 0..<400 {
      if Bool.random(using: &random), let number = order.enter(.thread("\(open.count % 3)"), isCounted: true) {
        threads[number] = open.count % 3
        open.append(number)
        if order.isBegun(number) { begun.append(number) }
      } else if let number = open.filter({ order.isBegun($0) }).randomElement(using: &random) {
        open.removeAll { $0 == number }
        begun += order.leave(number)
      }
    }
    while let number = open.first(where: { order.isBegun($0) }) {
      open.removeAll { $0 == number }
      begun += order.leave(number)
    }
    #expect(open.isEmpty)
    #expect(Set(begun).count == begun.count && begun.count == threads.count)
    for thread in 0..<3 {
      let own = begun.filter { threads[$0] == thread }
      #expect(own == own.sorted())
    }
  }

  @Test func interruptsTakeNoPlaceOfOthers() {
    var order = LaneOrder()
    for number in 0..<LaneOrder.maximumBegun { _ = order.enter(.thread("\(number)"), isCounted: true) }
    let (read, interrupt) = (order.enter(.free, isCounted: true), order.enter(.free, isCounted: false))
    #expect(read.map { order.isBegun($0) } == false && interrupt.map { order.isBegun($0) } == true)
  }

  @Test func thereAreNoMoreThanItsPlaces() {
    var order = LaneOrder()
    let numbers = (0..<LaneOrder.maximumEntries).compactMap { _ in order.enter(.thread("a"), isCounted: true) }
    #expect(numbers.count == LaneOrder.maximumEntries)
    let refused = order.enter(.free, isCounted: false)
    let begun = order.leave(1)
    let taken = order.enter(.free, isCounted: false)
    #expect(refused == nil && begun == [2] && taken != nil)
  }
}
