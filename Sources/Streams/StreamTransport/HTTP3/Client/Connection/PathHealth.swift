/// A connection's report about its path.
package enum PathHealth: Hashable, Sendable {
  /// Data in flight is not acknowledged: the path may carry nothing any more.
  case suspect
  /// It answers after all.
  case answers
  /// It was silent until the connection ended.
  case gone
}
