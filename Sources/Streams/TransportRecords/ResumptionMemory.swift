import Foundation

/// The records of all servers, by authority; pure, and the file's content.
package struct ResumptionMemory: Codable, Equatable {
  /// Servers that are remembered; beyond it the one that was used least recently is forgotten.
  package static let serverLimit = 64
  package static let version = 1

  package private(set) var version = Self.version
  package private(set) var servers: [String: ServerRecord] = [:]

  package init() {}

  /// Reads a file; empty for one of another version or with anything in it that cannot be read.
  package init(file bytes: [UInt8]) {
    guard let memory = try? JSONDecoder().decode(Self.self, from: Data(bytes)), memory.version == Self.version
    else { return }
    self = memory
    trim()
  }

  package var file: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { Array($0) } ?? []
  }

  /// Changes a server's record, and makes it if there is none.
  package mutating func update<Result>(
    _ authority: String, at now: Double, _ body: (inout ServerRecord) -> Result
  ) -> Result {
    var record = servers[authority] ?? ServerRecord(usedAt: now)
    record.usedAt = now
    let result = body(&record)
    servers[authority] = record
    trim()
    return result
  }

  /// Takes a ticket and the token out, and returns the rest; a server of which nothing is known leaves no trace.
  package mutating func take(_ authority: String, at now: Double) -> RememberedServer {
    guard servers[authority] != nil else { return RememberedServer() }
    let known = servers[authority]
    var remembered = RememberedServer()
    update(authority, at: now) { record in
      remembered.ticket = record.takeTicket(at: now)
      // A token is for one connection as well (RFC 9000 § 8.1.3).
      remembered.token = record.token.map { Array($0) }
      record.token = nil
      remembered.ecnDoubt = record.ecnDoubt(at: now)
      remembered.roundTrip = record.roundTrip.map { .nanoseconds($0) }
    }
    if remembered.ticket == nil, remembered.token == nil { servers[authority] = known }
    return remembered
  }

  private mutating func trim() {
    while servers.count > Self.serverLimit, let oldest = servers.min(by: { $0.value.usedAt < $1.value.usedAt }) {
      servers[oldest.key] = nil
    }
  }
}
