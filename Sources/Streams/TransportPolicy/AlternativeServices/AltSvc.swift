/// The value of an `alt-svc` field (RFC 7838 § 3), as far as HTTP/3 is concerned.
package enum AltSvc: Hashable, Sendable {
  /// The origin takes back what it said before.
  case clear
  /// The origin's current offers in its order of preference, `h3` alone.
  case offers([Offer])

  package struct Offer: Hashable, Sendable {
    package var service: AlternativeService
    /// Seconds for which it holds; 0 for not at all.
    package var maximumAge: Int
    /// Whether it holds on other networks too (RFC 7838 § 3.1).
    package var persists: Bool

    package init(service: AlternativeService, maximumAge: Int = 86_400, persists: Bool = false) {
      self.service = service
      self.maximumAge = maximumAge
      self.persists = persists
    }
  }

  /// Offers that are taken of one field.
  static let limit = 8
  /// Bytes of a field that is read at all.
  static let lengthLimit = 4_096

  /// Reads a field's value; a member that is malformed is passed over, the others count.
  package init(_ value: String) {
    var reader = AltSvcReader(value.utf8.prefix(Self.lengthLimit + 1))
    guard value.utf8.count <= Self.lengthLimit else {
      self = .offers([])
      return
    }
    reader.skipWhitespace()
    if reader.isWord("clear") {
      self = .clear
      return
    }
    var offers: [Offer] = []
    while !reader.isAtEnd, offers.count < Self.limit {
      if let offer = reader.member() { offers.append(offer) }
      reader.skipMember()
    }
    self = .offers(offers)
  }
}
