/// A connection, or request, among those that share a server's places or bytes.
package struct LoadMember: Sendable {
  let ticket: LoadTicket
  let prefix: SourcePrefix
}

/// Those that share a server's places or bytes, with the function that ends each for the others' benefit.
struct LoadMembers: Sendable {
  private var last: UInt64 = 0
  private var ends: [LoadTicket: @Sendable () -> Void] = [:]

  /// One that is not kept yet.
  mutating func newcomer(from prefix: SourcePrefix) -> LoadMember {
    last += 1
    return LoadMember(ticket: LoadTicket(number: last, member: 0), prefix: prefix)
  }

  mutating func keep(_ member: LoadMember, end: @escaping @Sendable () -> Void) { ends[member.ticket] = end }

  /// False for one that was removed.
  func contains(_ member: LoadMember) -> Bool { ends[member.ticket] != nil }

  /// The function that ends the one that is removed; nil where it was removed before.
  mutating func remove(_ ticket: LoadTicket) -> (@Sendable () -> Void)? { ends.removeValue(forKey: ticket) }
}
