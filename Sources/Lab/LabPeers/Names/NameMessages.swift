/// A resolver's question (RFC 1035 § 4.1).
package struct NameQuestion: Hashable, Sendable {
  package enum Kind: UInt16, Sendable {
    case a = 1
    case cname = 5
    case aaaa = 28
  }

  package let name: String
  package let kind: Kind
  package let isTCP: Bool
  /// The question's bytes behind the header, and the number that an answer repeats.
  fileprivate let bytes: [UInt8]
  fileprivate let number: [UInt8]

  init?(_ message: [UInt8], isTCP: Bool) {
    var labels: [String] = []
    var rest = message.dropFirst(12)
    while let length = rest.popFirst(), length > 0 {
      labels.append(String(decoding: rest.prefix(Int(length)), as: UTF8.self))
      rest = rest.dropFirst(Int(length))
    }
    guard rest.count >= 4,
      let kind = Kind(rawValue: UInt16(rest[rest.startIndex]) << 8 | UInt16(rest[rest.startIndex + 1]))
    else { return nil }
    name = labels.joined(separator: ".")
    self.kind = kind
    self.isTCP = isTCP
    bytes = Array(message[12..<(rest.startIndex + 4)])
    number = Array(message.prefix(2))
  }
}

/// A name server's answer.
package enum NameAnswer: Sendable {
  /// Addresses of the question's family.
  case addresses([String])
  case records([NameRecord])
  /// RFC 1035's RCODE, such as 3 for a name that does not exist.
  case failure(UInt8)
  /// Only that the whole answer is available over TCP.
  case truncated
  case garbage([UInt8])
  /// A good answer with the number of another question.
  case misnumbered([NameRecord])
  /// A good answer to another question.
  case misnamed([NameRecord])

  package static let unknownName = NameAnswer.failure(3)

  func bytes(_ question: NameQuestion) -> [UInt8] {
    switch self {
    case .addresses(let texts):
      Self.message(question, records: texts.compactMap { NameRecord(question.name, address: $0, kind: question.kind) })
    case .records(let records): Self.message(question, records: records)
    case .failure(let code): Self.message(question, flags: 0x8180 | UInt16(code))
    case .truncated: Self.message(question, flags: 0x8380)
    case .garbage(let bytes): bytes
    case .misnumbered(let records):
      Self.message(question, number: question.number.map { ~$0 }, records: records)
    case .misnamed(let records):
      Self.message(question, name: [5] + Array("wrong".utf8) + question.bytes, records: records)
    }
  }

  private static func message(
    _ question: NameQuestion, number: [UInt8]? = nil, name: [UInt8]? = nil, flags: UInt16 = 0x8180,
    records: [NameRecord] = []
  ) -> [UInt8] {
    (number ?? question.number) + big(flags) + big(1) + big(UInt16(records.count)) + big(0) + big(0)
      + (name ?? question.bytes) + records.flatMap(\.bytes)
  }
}

/// A resource record of class IN.
package struct NameRecord: Sendable {
  fileprivate let bytes: [UInt8]

  /// Nil where the address is of the other family.
  package init?(_ name: String, address: String, kind: NameQuestion.Kind) {
    switch kind {
    case .a:
      let parts = address.split(separator: ".").compactMap { UInt8($0) }
      guard parts.count == 4 else { return nil }
      bytes = Self.record(name, kind, parts)
    case .aaaa:
      let parts = address.split(separator: ":").compactMap { UInt16($0, radix: 16) }
      guard parts.count == 8 else { return nil }
      bytes = Self.record(name, kind, parts.flatMap { big($0) })
    case .cname: return nil
    }
  }

  package init(_ name: String, alias: String) {
    bytes = Self.record(name, .cname, Self.encoded(alias))
  }

  private static func record(_ name: String, _ kind: NameQuestion.Kind, _ data: [UInt8]) -> [UInt8] {
    encoded(name) + big(kind.rawValue) + big(1) + big(0) + big(60) + big(UInt16(data.count)) + data
  }

  private static func encoded(_ name: String) -> [UInt8] {
    name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }
}

private func big(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xff)] }
