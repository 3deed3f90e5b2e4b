import Crypto

/// Events to append to one stream, all or none.
package struct LedgerAppend: Sendable {
  package let drafts: [LedgerDraft]
  package let lease: LedgerLease
  /// Repeating an append under its key returns the first one's receipt and stores nothing.
  package let key: String?

  package init(_ drafts: [LedgerDraft], under lease: LedgerLease, key: String?) {
    self.drafts = drafts
    self.lease = lease
    self.key = key
  }

  /// The bytes that it takes, about.
  package var bytes: Int { drafts.reduce(0) { $0 + $1.payload.count + $1.type.utf8.count + 96 } }

  /// Throws ``LedgerError`` where it exceeds a limit.
  package func check() throws(LedgerError) {
    try LedgerLimits.check(drafts)
    if let key { try LedgerLimits.check(name: key, "key") }
  }

  /// A digest of the events. Lengths stand before what they measure, so that no two lists of events have the same bytes.
  package var digest: [UInt8] {
    var hash = SHA256()
    for draft in drafts {
      for bytes in [Array(draft.type.utf8), draft.payload] {
        withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { hash.update(bufferPointer: $0) }
        hash.update(data: bytes)
      }
    }
    return Array(hash.finalize())
  }
}
