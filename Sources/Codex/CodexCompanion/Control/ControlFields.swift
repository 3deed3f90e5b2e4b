package import ResolveKitCore

/// Reads the members of a JSON object from the control socket; refuses what is missing, of another type or too long.
package struct ControlFields {
  /// The longest text, in UTF-8.
  static let maximumText = 4_096
  /// The longest id, in UTF-8.
  static let maximumID = 200

  private let members: JSONObject
  /// The name of the object, for the sentence of an error.
  private let subject: String

  init(_ value: JSONValue, of subject: String) throws(ControlError) {
    guard case .object(let members) = value else { throw ControlError(.invalid, "\(subject) is no JSON object.") }
    self.members = members
    self.subject = subject
  }

  /// Throws ``ControlError`` where there are members of other names: an option that is passed over would be a command
  /// that does something else.
  func forbidOthers(than names: Set<String>) throws(ControlError) {
    guard let other = members.keys.filter({ !names.contains($0) }).min() else { return }
    throw ControlError(.invalid, "\(subject) has a member that is not known: \(Self.shown(other)).")
  }

  func text(_ name: String, limit: Int = Self.maximumText) throws(ControlError) -> String {
    guard case .string(let text) = members[name], text.utf8.count <= limit else {
      throw fault(name, "a text of at most \(limit) bytes")
    }
    return text
  }

  /// Any JSON that is there.
  func value(_ name: String) throws(ControlError) -> JSONValue {
    guard let value = members[name] else { throw fault(name, "given") }
    return value
  }

  /// One of the names that a type knows.
  func choice<Choice: RawRepresentable<String>>(_ name: String) throws(ControlError) -> Choice {
    guard let choice = Choice(rawValue: try text(name, limit: Self.maximumID)) else {
      throw fault(name, "one that this version knows")
    }
    return choice
  }

  func optionalText(_ name: String, limit: Int = Self.maximumText) throws(ControlError) -> String? {
    isGiven(name) ? try text(name, limit: limit) : nil
  }

  /// Ids are shown to people and typed by them, so they are visible ASCII without spaces.
  func id(_ name: String) throws(ControlError) -> String {
    let text = try text(name, limit: Self.maximumID)
    guard Self.isID(text) else { throw fault(name, "an id: 1 to \(Self.maximumID) visible ASCII characters") }
    return text
  }

  static func isID(_ text: String) -> Bool {
    (1...maximumID).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  func flag(_ name: String) throws(ControlError) -> Bool {
    guard case .bool(let flag) = members[name] else { throw fault(name, "true or false") }
    return flag
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(ControlError) -> Int {
    guard let number = members[name]?.integerValue, range.contains(number) else {
      throw fault(name, "an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Milliseconds since 1970; up to what a double holds exactly.
  func time(_ name: String) throws(ControlError) -> Int { try integer(name, in: 0...(1 << 53)) }

  func optionalTime(_ name: String) throws(ControlError) -> Int? { isGiven(name) ? try time(name) : nil }

  func texts(_ name: String, limit: Int) throws(ControlError) -> [String] {
    try list(name, limit: limit) { element, subject throws(ControlError) in
      guard case .string(let text) = element, text.utf8.count <= Self.maximumText else {
        throw ControlError(.invalid, "\(subject) is no text of at most \(Self.maximumText) bytes.")
      }
      return text
    }
  }

  func object(_ name: String) throws(ControlError) -> ControlFields {
    guard let value = members[name] else { throw fault(name, "an object") }
    return try ControlFields(value, of: "\(subject), \(name)")
  }

  func records<Record: ControlRecord>(_ name: String) throws(ControlError) -> [Record] {
    try list(name, limit: Record.maximumCount) { element, subject throws(ControlError) in
      try Record(ControlFields(element, of: subject))
    }
  }

  private func list<Element>(
    _ name: String, limit: Int, _ read: (JSONValue, String) throws(ControlError) -> Element
  ) throws(ControlError) -> [Element] {
    guard case .array(let elements) = members[name], elements.count <= limit else {
      throw fault(name, "a list of at most \(limit)")
    }
    var result: [Element] = []
    for element in elements { result.append(try read(element, "\(subject), in \(name)")) }
    return result
  }

  private func isGiven(_ name: String) -> Bool { members[name].map { !$0.isNull } ?? false }

  private func fault(_ name: String, _ expected: String) -> ControlError {
    ControlError(.invalid, "\(subject): '\(name)' has to be \(expected).")
  }

  /// The beginning of a text of the other side, safe to print.
  static func shown(_ text: String) -> String { String(text.prefix(40)).visibleJSON }
}
