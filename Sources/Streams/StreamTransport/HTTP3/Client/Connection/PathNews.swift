/// What a connection reports of its path.
package enum PathNews: Hashable, Sendable {
  /// What was sent is not acknowledged: the path may carry nothing any more.
  case suspect
  /// It answers after all.
  case answers
  /// It was silent until the connection ended.
  case gone
}
