/// The share of a server's connections that is traced, and the traces that are kept, for a server that is traced all the
/// time.
public struct QlogSampling: Hashable, Sendable {
  /// One of so many connections is traced, at random; 1 or less, the default, traces all.
  public var oneOf = 1
  /// Traces of servers that are kept in the directory, those of earlier runs included: the oldest are removed. While so many
  /// are being written no other is begun. Nil, the default, keeps all.
  public var maximumFiles: Int?
  /// The size of all of them together, in bytes: the oldest are removed, and where only those are left that are being
  /// written, they end. Nil, the default, for no limit.
  public var maximumBytes: Int?

  /// Creates the default: all connections, and all traces.
  public init() {}

  /// Nil where all are kept.
  var retention: QlogRetention? {
    guard maximumFiles != nil || maximumBytes != nil else { return nil }
    return QlogRetention(maximumFiles: maximumFiles ?? .max, maximumBytes: maximumBytes ?? .max)
  }
}
