/// The holdings of one thing behind each source prefix.
struct FairShare {
  private struct Part {
    var total = 0
    var holders: [LoadTicket: Int] = [:]
    /// The newest that has ever been here; decides between equals.
    var newest: LoadTicket
  }

  private var parts: [SourcePrefix: Part] = [:]
  private(set) var total = 0

  func total(of prefix: SourcePrefix) -> Int { parts[prefix]?.total ?? 0 }

  func amount(of holder: LoadTicket, behind prefix: SourcePrefix) -> Int { parts[prefix]?.holders[holder] ?? 0 }

  /// Sets what a holder has; 0 for nothing more.
  mutating func set(_ amount: Int, of holder: LoadTicket, behind prefix: SourcePrefix) {
    var part = parts.removeValue(forKey: prefix) ?? Part(newest: holder)
    let before = part.holders[holder] ?? 0
    part.holders[holder] = amount > 0 ? amount : nil
    part.newest = max(part.newest, holder)
    part.total += max(amount, 0) - before
    total += max(amount, 0) - before
    if !part.holders.isEmpty { parts[prefix] = part }
  }

  /// The prefix that has most, of equals the one with the newest holder. Looks at all prefixes, so it is for the moments in
  /// which there is too little.
  var heaviest: SourcePrefix? {
    parts.max { ($0.value.total, $0.value.newest) < ($1.value.total, $1.value.newest) }?.key
  }

  /// The prefix's holder that has most, of equals the newest.
  func largestHolder(behind prefix: SourcePrefix) -> LoadTicket? {
    parts[prefix]?.holders.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }
}
