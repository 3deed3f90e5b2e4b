package import ResolveKitCore

/// A part of a reply on the control socket that comes in lists.
///
/// A reader ignores members that it does not know, so that a later companion may add some.
package protocol ControlRecord: Hashable, Sendable {
  /// The longest list of them.
  static var maximumCount: Int { get }
  init(_ fields: ControlFields) throws(ControlError)
  var json: JSONValue { get }
}

extension ControlRecord {
  package static var maximumCount: Int { 1_000 }
}

extension JSONValue {
  /// An object of the members that have a value.
  static func record(_ members: [String: JSONValue?]) -> JSONValue { .object(members.compactMapValues { $0 }) }

  static func time(_ milliseconds: Int) -> JSONValue { .number(Double(milliseconds)) }
}
