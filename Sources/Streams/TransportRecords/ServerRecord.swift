package import Foundation
package import HTTP3Engine

/// The record of one server, in the form of the file.
package struct ServerRecord: Codable, Equatable {
  package struct Ticket: Codable, Equatable {
    /// ``ResumptionTicket/encoded``.
    package var bytes: Data
    /// In seconds since 1970.
    package var receivedAt: Double
  }

  /// The oldest first.
  package private(set) var tickets: [Ticket] = []
  package var token: Data?
  /// Smoothed round-trip time of the last connection, in nanoseconds.
  package var roundTrip: Int64?
  /// The time at which the server closed a connection at marks or reports of ECN, in seconds since 1970.
  package var ecnDoubtedAt: Double?
  /// The time of the record's latest use, in seconds since 1970.
  package var usedAt: Double

  package static let ticketLimit = 4
  /// No ticket is good for longer (RFC 8446 § 4.6.1); most servers allow less, which GnuTLS checks.
  package static let ticketLifetime: Double = 7 * 24 * 3_600
  /// Seconds for which a server is reached without ECN, so that one that was mended is sent marks again.
  package static let ecnDoubtLifetime: Double = 24 * 3_600

  package init(usedAt now: Double) {
    usedAt = now
  }

  package mutating func add(_ ticket: ResumptionTicket, at now: Double) {
    tickets.append(Ticket(bytes: Data(ticket.encoded), receivedAt: now))
    if tickets.count > Self.ticketLimit { tickets.removeFirst(tickets.count - Self.ticketLimit) }
  }

  package mutating func forgetTickets() { tickets = [] }

  /// For how long the server is still reached without ECN; nil where it supports ECN, as far as is known.
  package func ecnDoubt(at now: Double) -> Duration? {
    // A doubt from the future is of a clock that was set back.
    guard let ecnDoubtedAt, ecnDoubtedAt <= now, now - ecnDoubtedAt < Self.ecnDoubtLifetime else { return nil }
    return .seconds(Self.ecnDoubtLifetime - (now - ecnDoubtedAt))
  }

  /// Takes the newest ticket out: a ticket is used once.
  package mutating func takeTicket(at now: Double) -> ResumptionTicket? {
    // One from the future is of a clock that was set back, and its age is anybody's guess.
    tickets.removeAll { $0.receivedAt > now || now - $0.receivedAt > Self.ticketLifetime }
    while let newest = tickets.popLast() {
      if let ticket = ResumptionTicket(encoded: Array(newest.bytes)) { return ticket }
    }
    return nil
  }
}
