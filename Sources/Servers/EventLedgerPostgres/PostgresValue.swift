import EventLedger

/// A parameter of a statement, in PostgreSQL's binary format.
struct PostgresValue {
  static let textType: UInt32 = 25
  private static let integerType: UInt32 = 20

  /// The type's object identifier (pg_type.dat).
  let type: UInt32
  /// nil is NULL.
  let bytes: [UInt8]?

  static func integer(_ value: Int64) -> PostgresValue { PostgresValue(type: integerType, bytes: bigEndian(value)) }
  static func text(_ value: String?) -> PostgresValue {
    PostgresValue(type: textType, bytes: value.map { Array($0.utf8) })
  }
  static func bytes(_ value: [UInt8]?) -> PostgresValue { PostgresValue(type: 17, bytes: value) }

  static func texts(_ values: [String]) -> PostgresValue {
    PostgresValue(type: 1009, bytes: array(of: 25, values.map { Array($0.utf8) }))
  }

  static func byteArrays(_ values: [[UInt8]]) -> PostgresValue {
    PostgresValue(type: 1001, bytes: array(of: 17, values))
  }

  init(type: UInt32, bytes: [UInt8]?) {
    self.type = type
    self.bytes = bytes
  }

  init(_ value: RowValue) {
    switch value {
    case .integer(let number): self.init(type: Self.integerType, bytes: number.map { Self.bigEndian($0) })
    case .text(let text): self = .text(text)
    }
  }

  /// One dimension from 1, no NULLs (array_send in src/backend/utils/adt/arrayfuncs.c).
  private static func array(of element: Int32, _ values: [[UInt8]]) -> [UInt8] {
    var bytes = bigEndian(Int32(values.isEmpty ? 0 : 1)) + bigEndian(Int32(0)) + bigEndian(element)
    guard !values.isEmpty else { return bytes }
    bytes += bigEndian(Int32(clamping: values.count)) + bigEndian(Int32(1))
    for value in values {
      bytes += bigEndian(Int32(clamping: value.count))
      bytes += value
    }
    return bytes
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}

/// A statement with its parameters.
struct PostgresStatement {
  let sql: String
  let values: [PostgresValue]

  init(_ sql: String, _ values: [PostgresValue] = []) {
    self.sql = sql
    self.values = values
  }
}

/// A row of an answer, in PostgreSQL's binary format.
struct PostgresRow {
  /// The columns' types, by their object identifiers.
  let types: [UInt32]
  let columns: [[UInt8]?]

  /// A bigint; nil where it is NULL or something else.
  func integer(_ column: Int) -> Int64? {
    guard let bytes = bytes(column), bytes.count == 8 else { return nil }
    return Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }

  func text(_ column: Int) -> String? { bytes(column).map { String(decoding: $0, as: UTF8.self) } }

  func flag(_ column: Int) -> Bool { bytes(column) == [1] }

  func bytes(_ column: Int) -> [UInt8]? { columns.indices.contains(column) ? columns[column] : nil }

  /// The same for those who know no PostgreSQL: integers and texts, all else NULL.
  var asTableRow: TableRow {
    TableRow(
      zip(types, columns.indices).map { type, place in
        type == PostgresValue.textType ? .text(text(place)) : .integer(integer(place))
      })
  }
}
