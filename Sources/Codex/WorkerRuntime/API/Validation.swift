import ResolveKitCore

/// Reads the members of a request by the contract's rules, and collects what is wrong with them, in the words of the
/// public layer of its server.
struct Validation {
  private var errors: [(field: String, messages: [String])] = []

  /// Throws everything found, where there is something.
  func check() throws(APIFault) {
    guard errors.isEmpty else { throw APIFault.invalid(errors) }
  }

  mutating func report(_ field: String, _ message: String) {
    if let index = errors.firstIndex(where: { $0.field == field }) {
      errors[index].messages.append(message)
    } else {
      errors.append((field, [message]))
    }
  }

  mutating func required(_ field: String) { report(field, "The \(Self.words(field)) field is required.") }

  /// A text; nil where it is left out, null or empty. Lengths are counted in Unicode scalars, as that server counts them.
  mutating func string(_ value: JSONValue?, _ field: String, limit: Int, isRequired: Bool = false) -> String? {
    switch value {
    case nil, .null?, .string("")?:
      if isRequired { required(field) }
      return nil
    case .string(let text)?:
      guard text.unicodeScalars.count <= limit else {
        report(field, "The \(Self.words(field)) field must not be greater than \(limit) characters.")
        return nil
      }
      return text
    case .number?, .bool?, .object?, .array?:
      report(field, "The \(Self.words(field)) field must be a string.")
      return nil
    }
  }

  /// An object's members; none where it is left out. An empty array is an empty object: that server's language has one
  /// notation for both.
  mutating func object(_ value: JSONValue?, _ field: String, isRequired: Bool = false) -> JSONObject {
    switch value {
    case nil, .null?:
      if isRequired { required(field) }
      return [:]
    case .object(let members)?: return members
    case .array([])?: return [:]
    case .array?, .string?, .number?, .bool?:
      report(field, "The \(Self.words(field)) field must be an object.")
      return [:]
    }
  }

  /// A whole number of a query; nil where it is left out.
  mutating func integer(_ text: Substring?, _ field: String, in range: ClosedRange<Int64>) -> Int64? {
    guard let text, !text.isEmpty else { return nil }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      report(field, "The \(Self.words(field)) field must be an integer.")
      return nil
    }
    let number = Int64(text) ?? (text.hasPrefix("-") ? .min : .max)
    guard number >= range.lowerBound else {
      report(field, "The \(Self.words(field)) field must be at least \(range.lowerBound).")
      return nil
    }
    guard number <= range.upperBound, Int64(text) != nil else {
      report(field, "The \(Self.words(field)) field must not be greater than \(range.upperBound).")
      return nil
    }
    return number
  }

  /// `request.session_id` in that server's words: `request.session id`.
  private static func words(_ field: String) -> String { field.replacing("_", with: " ") }
}
