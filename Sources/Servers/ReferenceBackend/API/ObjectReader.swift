import ResolveKitCore

/// Reads the members of a JSON object by the contract's rules and collects everything that is wrong with them.
struct ObjectReader {
  /// The meaning of an explicit `null`.
  enum Nullability {
    case rejected
    case absent
  }

  let object: JSONObject
  let location: [JSONValue]
  private(set) var issues: [ValidationIssue] = []
  private var known: Set<String> = []

  init(_ object: JSONObject, at location: [JSONValue] = ["body"]) {
    self.object = object
    self.location = location
  }

  /// Throws everything found, where there is something.
  func check() throws(APIError) {
    guard issues.isEmpty else { throw APIError.invalid(issues) }
  }

  mutating func add(_ issues: [ValidationIssue]) {
    self.issues += issues
  }

  /// To be called last: members that were not read are refused.
  mutating func forbidOthers() {
    for name in object.keys.sorted() where !known.contains(name) {
      report("extra_forbidden", name, "Extra inputs are not permitted")
    }
  }

  mutating func value(_ name: String, isRequired: Bool = false, null: Nullability = .rejected) -> JSONValue? {
    known.insert(name)
    guard let value = object[name] else {
      if isRequired { report("missing", name, "Field required", input: .object(object)) }
      return nil
    }
    if value.isNull, null == .absent { return nil }
    return value
  }

  mutating func string(
    _ name: String, length: ClosedRange<Int>, isRequired: Bool = false, null: Nullability = .rejected,
    allowsNUL: Bool = false
  ) -> String? {
    guard let value = value(name, isRequired: isRequired, null: null) else { return nil }
    return string(value, length: length, allowsNUL: allowsNUL, at: location + [.string(name)])
  }

  mutating func integer(_ name: String, range: ClosedRange<Int>, isRequired: Bool = false) -> Int? {
    guard let value = value(name, isRequired: isRequired) else { return nil }
    guard let number = value.integerValue else {
      report("int_type", name, "Input should be a valid integer", input: value)
      return nil
    }
    guard range.contains(number) else {
      let isSmall = number < range.lowerBound
      let bound = isSmall ? range.lowerBound : range.upperBound
      report(
        isSmall ? "greater_than_equal" : "less_than_equal", name,
        "Input should be \(isSmall ? "greater" : "less") than or equal to \(bound)", input: value)
      return nil
    }
    return number
  }

  mutating func bool(_ name: String) -> Bool? {
    guard let value = value(name) else { return nil }
    if value.boolValue == nil { report("bool_type", name, "Input should be a valid boolean", input: value) }
    return value.boolValue
  }

  mutating func object(_ name: String, null: Nullability = .rejected) -> JSONObject? {
    guard let value = value(name, null: null) else { return nil }
    if value.objectValue == nil { report("dict_type", name, "Input should be a valid dictionary", input: value) }
    return value.objectValue
  }

  mutating func array(_ name: String, limit: Int, isRequired: Bool = false) -> [JSONValue]? {
    guard let value = value(name, isRequired: isRequired) else { return nil }
    guard let elements = value.arrayValue else {
      report("list_type", name, "Input should be a valid list", input: value)
      return nil
    }
    guard elements.count <= limit else {
      report("too_long", name, "List should have at most \(limit) items after validation, not \(elements.count)")
      return nil
    }
    return elements
  }

  mutating func strings(
    _ name: String, limit: Int, length: ClosedRange<Int>, isRequired: Bool = false
  ) -> [String]? {
    guard let elements = array(name, limit: limit, isRequired: isRequired) else { return nil }
    return elements.enumerated().compactMap { index, element in
      string(element, length: length, at: location + [.string(name), .number(Double(index))])
    }
  }

  mutating func report(_ type: String, _ name: String, _ message: String, input: JSONValue = .null) {
    issues.append(
      ValidationIssue(type: type, location: location + [.string(name)], message: message, input: input))
  }

  /// Lengths are counted in Unicode scalars, as the contract's server counts them. A NUL would end the text in the
  /// database, and make two ids one.
  private mutating func string(
    _ value: JSONValue, length: ClosedRange<Int>, allowsNUL: Bool = false, at place: [JSONValue]
  ) -> String? {
    guard let text = value.stringValue else {
      issues.append(
        ValidationIssue(
          type: "string_type", location: place, message: "Input should be a valid string", input: value))
      return nil
    }
    let count = text.unicodeScalars.count
    guard length.contains(count) else {
      let isShort = count < length.lowerBound
      let bound = isShort ? length.lowerBound : length.upperBound
      issues.append(
        ValidationIssue(
          type: isShort ? "string_too_short" : "string_too_long", location: place,
          message: "String should have at \(isShort ? "least" : "most") \(bound) character\(bound == 1 ? "" : "s")",
          context: [isShort ? "min_length" : "max_length": .number(Double(bound))]))
      return nil
    }
    guard allowsNUL || !text.utf8.contains(0) else {
      issues.append(
        ValidationIssue(
          type: "value_error", location: place, message: "Value error, text must not contain U+0000"))
      return nil
    }
    return text
  }
}
