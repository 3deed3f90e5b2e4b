import Logging

/// Keeps the mirror's book on disk.
actor MirrorStore {
  private let file: StoreFile
  private let logger: Logger
  private(set) var book: MirrorBook

  /// Takes up the book of this worker, or begins one. Throws ``StoreError``.
  init(path: String, server: String, worker: String, ledger: String, logger: Logger) throws(StoreError) {
    file = try StoreFile(claiming: path, format: "companion-mirror")
    self.logger = logger
    let fresh = MirrorBook(server: server, worker: worker, ledger: ledger)
    guard let members = try file.read() else {
      book = fresh
      return
    }
    guard let kept = MirrorBook(members) else { throw file.damaged("it is no mirror's book") }
    // Cursors are of no use for another worker, nor for another history of the chats' log.
    book = kept.server == server && kept.worker == worker && kept.ledger == ledger ? kept : fresh
  }

  /// Changes the book in memory; ``save()`` keeps it.
  func note(_ body: (inout MirrorBook) -> Void) { body(&book) }

  /// Changes the book; on return it is on the disk. Throws ``StoreError``.
  func change(_ body: (inout MirrorBook) -> Void) throws(StoreError) {
    body(&book)
    try file.write(book.members)
  }

  /// Keeps what was noted. What cannot be kept is reported, and done again after a restart.
  func save() {
    do { try file.write(book.members) } catch { logger.error("the mirror's state cannot be kept: \(error)") }
  }
}
