/// The names of the ledger's streams.
enum StreamNames {
  /// The users and their tokens.
  static let accounts = "accounts"
  /// E-mail codes that wait to be shown.
  static let challenges = "challenges"

  /// A worker's events, which its clients read; their sequence numbers are the contract's.
  static func events(of worker: WorkerID) -> String { "events/\(worker.text)" }

  /// The worker whose events a stream has; nil for another stream.
  static func worker(ofEvents stream: String) -> WorkerID? {
    stream.hasPrefix("events/") ? WorkerID(String(stream.dropFirst("events/".count))) : nil
  }

  /// A worker's record beside its events.
  static func record(of worker: WorkerID) -> String { "record/\(worker.text)" }

  /// A worker's summary in the read model.
  static func summary(of worker: WorkerID) -> String { "summary/\(worker.text)" }

  /// The requests of a user's present minute.
  static func requests(of user: String) -> String { "requests/\(user)" }

  /// The workers of a user.
  static func index(of user: String) -> String { "index/\(user)" }
}
