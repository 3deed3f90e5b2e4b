package import HTTPTypes

/// The fields of RFC 7838.
extension HTTPField.Name {
  /// § 3: where the origin is served as well.
  package static let altSvc = make("alt-svc")
  /// § 5: which of these places the request goes to.
  static let altUsed = make("alt-used")

  private static func make(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else {
      preconditionFailure("Both are tokens (RFC 9110 § 5.6.2), which is all that a name has to be.")
    }
    return name
  }
}
