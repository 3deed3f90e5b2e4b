public import Foundation
import Glibc
public import ResolveKitCore

extension ResolveKitJournalFolder {
  /// Forgets the sessions that were not used for a long time or are too many, those first that were not used for longest;
  /// never one that a process has open.
  ///
  /// Removes journals by their files' times, which are those of the last use, so that no file has to be read.
  ///
  /// - Parameters:
  ///   - count: the most sessions that stay.
  ///   - moment: what was used last before this is forgotten; nil for nothing.
  /// - Returns: how many were forgotten.
  /// - Throws: ``/ResolveKitCore/JournalError`` where the folder cannot be read or a file cannot be removed.
  @discardableResult
  public func prune(keeping count: Int, usedSince moment: Date? = nil) throws(JournalError) -> Int {
    let names = try names()
    let journals = names.filter { $0.hasSuffix(Self.suffix) }.compactMap { name in
      lastUse(of: name).map { (name: name, lastUse: $0) }
    }
    .sorted { ($0.lastUse, $0.name) > ($1.lastUse, $1.name) }
    var removed = 0
    for (index, journal) in journals.enumerated()
    where index >= max(count, 0) || moment.map({ journal.lastUse < $0 }) ?? false {
      do {
        try JournalFile(path: "\(path)/\(journal.name)").remove()
      } catch {
        guard error.code != .inUse else { continue }
        throw error
      }
      removed += 1
      removeRemains(of: journal.name, among: names)
    }
    return removed
  }

  /// Copies that were made of a journal when it was damaged, and what a process that was killed left of a new one.
  func removeRemains(of name: String, among names: [String]) {
    for other in names
    where other.hasPrefix(name + ".damaged-") || other.hasPrefix(name + ".") && other.hasSuffix(".new") {
      unlink("\(path)/\(other)")
    }
  }

  private func lastUse(of name: String) -> Date? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
    return attributes?[.modificationDate] as? Date
  }
}
