extension JSONValue {
  /// Any value by its `Encodable`: what a tool returns. Dates become ISO 8601 strings. An integer that a `Double`
  /// can't hold becomes its digits in a string, so that none is lost.
  /// - Throws: `JSONError` where the value has no JSON form, as NaN has none, or is nested too deeply.
  public init(encoding value: some Encodable) throws(JSONError) {
    if let json = value as? JSONValue {
      self = json
      return
    }
    let exact = try ExactJSON(parsing: ResolveKitJSON.encode(value))
    self = exact.json { number in
      number.isWrittenAsInteger ? .string(number.text) : .number(number.double ?? 0)
    }
  }
}
