import ResolveKitCore

/// The newest of what happened with a worker, within a number and a size: events, the ends of requests, and what is
/// missing.
public struct WorkerTimeline: Sendable {
  /// One thing that happened.
  public enum Entry: Hashable, Sendable {
    /// An event of the log that ends no request of this client.
    case event(WorkerEvent)
    /// A request that this client waits for has ended.
    case receipt(WorkerReceipt)
    /// Events of these numbers are no longer kept by the server, and were not read.
    case lost(ClosedRange<Int64>)
    /// The log was begun again: it ended before what was read, and is read from its present end.
    case rewound(from: Int64, to: Int64)
  }

  /// The entries, oldest first.
  public private(set) var entries: [Entry] = []
  /// The number of entries that were dropped because there were too many.
  public private(set) var dropped = 0
  /// The requests whose ends are awaited.
  public private(set) var requests: WorkerRequestBook
  /// The last event that is in it, or was; nil before the first.
  public private(set) var last: Int64?
  private var bytes = 0
  private let maximumEntries: Int
  private let maximumBytes: Int

  /// An empty timeline; an entry beyond either limit takes the place of the oldest.
  public init(maximumEntries: Int = 500, maximumBytes: Int = 4 << 20, requests: WorkerRequestBook = .init()) {
    self.maximumEntries = max(1, maximumEntries)
    self.maximumBytes = max(0, maximumBytes)
    self.requests = requests
  }

  /// A request is about to be sent; its end is to be shown.
  public mutating func willSend(_ request: WorkerControlRequest) { requests.willSend(request) }

  /// Takes an update of a watch.
  public mutating func take(_ update: WorkerUpdate) {
    switch update {
    case .event(let event):
      last = event.sequence
      guard let receipt = WorkerReceipt(event) else { return add(.event(event)) }
      switch requests.take(receipt) {
      case .first: add(.receipt(receipt))
      case .foreign: add(.event(event))
      // One request has one end, whatever else comes.
      case .second: break
      }
    case .lost(let range):
      last = range.upperBound
      add(.lost(range))
    case .rewound(let from, let to):
      last = to
      add(.rewound(from: from, to: to))
    case .snapshot, .link: break
    }
  }

  /// Compares it with the worker's state, taken while no stream is read. Where the log ends before it, it is of an old log,
  /// which it says.
  ///
  /// - Returns: the numbers of the events that it lacks, the newest `limit` of them at most; nil where it lacks none.
  public mutating func reconcile(with snapshot: WorkerSnapshot, limit: Int64) -> ClosedRange<Int64>? {
    let latest = snapshot.latestSequence
    if let last, last > latest {
      entries = []
      bytes = 0
      take(.rewound(from: last, to: latest))
      return latest > 0 && limit > 0 ? max(1, latest - limit + 1)...latest : nil
    }
    let first = max((last ?? 0) + 1, latest - limit + 1)
    return first <= latest ? first...latest : nil
  }

  private mutating func add(_ entry: Entry) {
    entries.append(entry)
    bytes += Self.cost(entry)
    var excess = max(0, entries.count - maximumEntries)
    var left = bytes - entries.prefix(excess).reduce(0) { $0 + Self.cost($1) }
    // The newest one stays, however large.
    while left > maximumBytes, excess < entries.count - 1 {
      left -= Self.cost(entries[excess])
      excess += 1
    }
    entries.removeFirst(excess)
    dropped += excess
    bytes = left
  }

  private static func cost(_ entry: Entry) -> Int {
    switch entry {
    case .event(let event): event.json.serialized().count
    case .receipt(let receipt):
      switch receipt.outcome {
      case .response(let value): value.serialized().count + 64
      case .failure(_, let message, _, _): message.utf8.count + 256
      }
    case .lost, .rewound: 32
    }
  }
}
