/// The callers that wait for a connection, in the order in which they came. Pure.
///
/// Time comes in steps: what has waited for as many as its patience has is given up.
struct PostgresQueue<Job> {
  private struct Entry {
    let job: Job
    let step: Int
  }

  private let limit: Int
  private let patience: Int
  private var entries: [Int: Entry] = [:]
  private var count = 0
  /// No entry has a lower number.
  private var first = 0
  private var step = 0

  /// - Parameters:
  ///   - limit: the most that waits.
  ///   - patience: the steps that one waits.
  init(limit: Int, patience: Int) {
    self.limit = limit
    self.patience = patience
  }

  var isEmpty: Bool { entries.isEmpty }

  /// A number for a job that comes.
  mutating func nextNumber() -> Int {
    defer { count += 1 }
    return count
  }

  /// Takes a job in; false where as many wait as may.
  mutating func add(_ job: Job, as number: Int) -> Bool {
    guard entries.count < limit else { return false }
    entries[number] = Entry(job: job, step: step)
    first = min(first, number)
    return true
  }

  /// Takes a job out that waits; nil where it does not, or not any more.
  mutating func remove(_ number: Int) -> Job? { entries.removeValue(forKey: number)?.job }

  /// The job that has waited longest; nil where none waits.
  mutating func removeFirst() -> Job? {
    guard let number = firstNumber() else { return nil }
    return remove(number)
  }

  /// A step of time has passed: the jobs that are given up.
  mutating func tick() -> [Job] {
    step += 1
    var jobs: [Job] = []
    while let number = firstNumber(), let entry = entries[number], step - entry.step >= patience {
      jobs.append(entry.job)
      entries[number] = nil
    }
    return jobs
  }

  /// The first number that still waits; those who left are passed over once, not each time.
  private mutating func firstNumber() -> Int? {
    guard !entries.isEmpty else { return nil }
    while entries[first] == nil { first += 1 }
    return first
  }
}
