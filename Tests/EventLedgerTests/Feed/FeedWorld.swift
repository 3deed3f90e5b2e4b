import EventLedger
import TestSupport

/// A feed's rules beside a log in memory, with every step of readers, reads, polls and news taken in an order that a seed
/// decides. A read sees the log at one moment and reaches the rules at a later one, as it does with tasks.
struct FeedWorld {
  private enum Reading {
    case idle
    case waiting
    case read(Result<[LedgerEvent], LedgerError>)
    case ended(LedgerError.Code?)
  }

  private struct Reader {
    let seat: FeedSeat
    let start: Int64
    var cursor: FeedCursor
    var state = Reading.idle
    var taken: [Int64] = []
  }

  private static let stream = "s"

  private var random: SeededGenerator
  private let limits: FeedLimits
  private let newsIsLost: Double
  private var core: FeedCore
  private var last: Int64 = 0
  private var floor: Int64 = 0
  private var isDeleted = false
  private var readers: [Reader] = []
  private var news: [LedgerChange] = []
  private var fetches: [FeedFetch] = []
  private var fetched: [(FeedFetch, Result<[LedgerEvent], LedgerError>)] = []
  private var rests: [FeedRest] = []
  private var polls: [(FeedPoll, [String: LedgerExtent]?)] = []
  private var isPolling = false
  private(set) var fetchCount = 0
  private(set) var restCount = 0
  private(set) var breaches: [String] = []

  init(seed: UInt64, newsIsLost: Double) {
    random = SeededGenerator(seed: seed)
    limits = FeedLimits(
      tailEvents: Int.random(in: 1...6, using: &random), tailBytes: Int.random(in: 0...1_500, using: &random),
      pageEvents: Int.random(in: 1...4, using: &random),
      // After each read that woke a reader, or never.
      restPerReader: Bool.random(using: &random) ? .milliseconds(1) : .zero, failures: 3)
    self.newsIsLost = newsIsLost
    core = FeedCore(limits: limits)
  }

  /// Steps while the log changes, then those that are left, and judges.
  mutating func run(steps: Int) {
    for _ in 0..<steps {
      change()
      step(mayFail: true)
    }
    settle()
    // Lost news is healed by one poll; where none is lost, no poll is needed.
    if newsIsLost > 0 {
      poll()
      settle()
    }
    judge()
  }

  private mutating func change() {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6: append(Int64.random(in: 1...5, using: &random))
    case 6: readers.count < 8 ? join() : ()
    case 7: trim()
    case 8: if random.chance(0.02) { delete() }
    case 9: leave()
    default: break
    }
  }

  private mutating func tell(_ change: LedgerChange) {
    if !random.chance(newsIsLost) { news.append(change) }
  }

  private mutating func append(_ count: Int64) {
    guard !isDeleted else { return }
    last += count
    tell(.appended(stream: Self.stream, last: last))
  }

  private mutating func trim() {
    guard !isDeleted, random.chance(0.3) else { return }
    floor = Int64.random(in: floor...last, using: &random)
    tell(.trimmed(stream: Self.stream, floor: floor))
  }

  private mutating func delete() {
    isDeleted = true
    tell(.deleted(stream: Self.stream))
  }

  private mutating func join() {
    let start = Int64.random(in: max(0, floor - 2)...last + 1, using: &random)
    guard let seat = try? core.sit(Self.stream) else { return }
    readers.append(Reader(seat: seat, start: start, cursor: FeedCursor(after: start)))
  }

  private mutating func leave() {
    guard random.chance(0.1), let index = readers.indices.randomElement(using: &random) else { return }
    core.stopWaiting(readers[index].seat)
    core.rise(readers.remove(at: index).seat)
    act()
  }

  /// One step of one of those that can take one; false where none can.
  @discardableResult
  private mutating func step(mayFail: Bool) -> Bool {
    let ready = readers.indices.filter { index in
      switch readers[index].state {
      case .idle, .read: true
      case .waiting, .ended: false
      }
    }
    let choices = ready.count + news.count + fetches.count + fetched.count + polls.count + rests.count
    guard choices > 0 else { return false }
    var choice = Int.random(in: 0..<choices, using: &random)
    if choice < ready.count {
      advance(ready[choice])
    } else {
      choice -= ready.count
      if choice < news.count {
        core.heard(news.remove(at: choice))
      } else {
        choice -= news.count
        if choice < fetches.count {
          let fetch = fetches.remove(at: choice)
          let fails = mayFail && random.chance(0.1)
          fetched.append((fetch, fails ? .failure(LedgerError(.database, "")) : read(after: fetch.cursor)))
        } else if choice < fetches.count + fetched.count {
          let (fetch, result) = fetched.remove(at: choice - fetches.count)
          switch result {
          case .success(let page): core.fetched(page, by: fetch)
          case .failure(let error): core.failed(fetch, error.code)
          }
          // What a failed read has not brought, the next poll finds.
          if case .failure(let error) = result, error.code == .database { poll() }
        } else if choice < fetches.count + fetched.count + rests.count {
          let rest = rests.remove(at: choice - fetches.count - fetched.count)
          core.rested(rest, in: random.chance(0.5) ? rest.time : rest.time * 10)
        } else {
          let (poll, extents) = polls.remove(at: choice - fetches.count - fetched.count - rests.count)
          if let extents {
            core.polled(extents, by: poll)
          } else {
            core.failed(poll)
            self.poll()
          }
        }
      }
    }
    act()
    if mayFail, isPolling, random.chance(0.05) { poll() }
    return true
  }

  private mutating func settle() {
    while step(mayFail: false) {}
  }

  private mutating func poll() {
    guard let poll = core.poll else { return }
    polls.append(
      (poll, random.chance(0.1) ? nil : isDeleted ? [:] : [Self.stream: LedgerExtent(floor: floor, last: last)]))
  }

  private mutating func act() {
    for action in core.takeActions() {
      switch action {
      case .fetch(let fetch):
        fetchCount += 1
        fetches.append(fetch)
      case .wake(let numbers):
        for index in readers.indices where numbers.contains(readers[index].seat.number) {
          readers[index].state = .idle
          readers[index].cursor.wake()
        }
      case .rest(let rest):
        restCount += 1
        rests.append(rest)
      case .startPolling: isPolling = true
      case .pollNow: poll()
      }
    }
  }

  private func read(after cursor: Int64) -> Result<[LedgerEvent], LedgerError> {
    if isDeleted { return .failure(LedgerError(.deletedStream, "")) }
    if cursor < floor { return .failure(LedgerError(.trimmed(floor: floor), "")) }
    if cursor > last { return .failure(LedgerError(.cursorAhead(last: last), "")) }
    let end = min(last, cursor + Int64(limits.pageEvents))
    return .success(
      (cursor..<end).map {
        LedgerEvent(
          sequence: $0 + 1, fence: 1, time: WallTime(microseconds: 0), type: "t", payload: Self.payload($0 + 1))
      })
  }

  private static func payload(_ sequence: Int64) -> [UInt8] { Array("\(sequence)".utf8) }

  private mutating func advance(_ index: Int) {
    if case .read(let result) = readers[index].state {
      switch result {
      case .success(let page):
        readers[index].cursor.read(page)
        readers[index].state = .idle
      case .failure(let error): readers[index].state = .ended(error.code)
      }
      return
    }
    if let event = readers[index].cursor.takeFromPage() {
      if event.payload != Self.payload(event.sequence) { breaches.append("another event as \(event.sequence)") }
      return readers[index].taken.append(event.sequence)
    }
    let reader = readers[index]
    switch core.offer(reader.seat, after: reader.cursor.position, reader.cursor.standing) {
    case .events(let events): readers[index].cursor.read(events)
    case .read: readers[index].state = .read(read(after: reader.cursor.position))
    case .wait:
      if core.wait(reader.seat, after: reader.cursor.position, reader.cursor.standing) {
        readers[index].state = .waiting
      }
    case .end: breaches.append("the feed ended")
    }
  }

  private mutating func judge() {
    for reader in readers {
      let expected = Array((reader.start..<reader.start + Int64(reader.taken.count)).map { $0 + 1 })
      if reader.taken != expected { breaches.append("after \(reader.start): \(reader.taken)") }
      let position = reader.start + Int64(reader.taken.count)
      switch reader.state {
      case .waiting where position == last && !isDeleted: break
      case .ended(.deletedStream) where isDeleted: break
      case .ended(.trimmed) where position < floor: break
      case .ended(.cursorAhead) where reader.start > 0 && reader.taken.isEmpty: break
      default:
        breaches.append("\(reader.state) at \(position) of \(floor)...\(last)\(isDeleted ? ", deleted" : "")")
      }
    }
    for reader in readers { core.rise(reader.seat) }
    if core.load != FeedLoad(readers: 0, streams: 0, bytes: 0) { breaches.append("left: \(core.load)") }
  }
}
