import Foundation

/// The records of all servers, by authority; pure, and the file's content.
struct ResumptionMemory: Codable, Equatable {
  /// Servers that are remembered; beyond it the one that was used least recently is forgotten.
  static let serverLimit = 64
  static let version = 1

  private(set) var version = Self.version
  private(set) var servers: [String: ServerRecord] = [:]

  init() {}

  /// What a file holds; empty for one of another version or with anything in it that cannot be read.
  init(file bytes: [UInt8]) {
    guard let memory = try? JSONDecoder().decode(Self.self, from: Data(bytes)), memory.version == Self.version
    else { return }
    self = memory
    trim()
  }

  var file: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { Array($0) } ?? []
  }

  /// Changes a server's record, and makes it if there is none.
  mutating func update<Result>(_ authority: String, at now: Double, _ body: (inout ServerRecord) -> Result) -> Result {
    var record = servers[authority] ?? ServerRecord(usedAt: now)
    record.usedAt = now
    let result = body(&record)
    servers[authority] = record
    trim()
    return result
  }

  private mutating func trim() {
    while servers.count > Self.serverLimit, let oldest = servers.min(by: { $0.value.usedAt < $1.value.usedAt }) {
      servers[oldest.key] = nil
    }
  }
}
