extension RequestFailure {
  /// Longest message taken from a body, in Unicode scalars.
  private static let maximumMessageLength = 512

  /// Reads an error body in every dialect: `detail` as a string, as an object with `code` and `message`, as an array
  /// of validation errors; `error` in the place of `detail`; plain text; nothing at all.
  package init(status: Int, body: [UInt8]) {
    self.init(status: status, message: "The backend answered with status \(status).")
    guard !body.isEmpty else { return }
    guard let json = try? JSONValue(parsing: body) else {
      let text = String(decoding: body.prefix(4 * Self.maximumMessageLength), as: UTF8.self)
      // A proxy's error page is no sentence for a person.
      let isPage = text.drop(while: \.isWhitespace).first == "<"
      if !isPage { adopt(message: text) }
      return
    }
    read(json.objectValue.flatMap { $0["detail"] ?? $0["error"] } ?? json)
  }

  private mutating func read(_ detail: JSONValue) {
    switch detail {
    case .string(let text):
      adopt(message: text)
    case .object(let members):
      code = members["code"].flatMap(TypeResolver.coerceString)
      if let text = (members["message"] ?? members["msg"])?.stringValue {
        adopt(message: text)
      } else if let code {
        adopt(message: code)
      }
    case .array(let entries):
      let sentences = entries.prefix(5).compactMap { Self.sentence(for: $0) }
      code = entries.first?.objectValue?["type"]?.stringValue
      if !sentences.isEmpty { adopt(message: sentences.joined(separator: "; ")) }
    case .number, .bool, .null:
      break
    }
  }

  private static func sentence(for entry: JSONValue) -> String? {
    guard let members = entry.objectValue else { return entry.stringValue }
    guard let text = members["msg"]?.stringValue ?? members["message"]?.stringValue else { return nil }
    let place = (members["loc"]?.arrayValue ?? []).compactMap(TypeResolver.coerceString).joined(separator: ".")
    return place.isEmpty ? text : "\(place): \(text)"
  }

  /// Control characters are dropped: the message may end on a terminal.
  private mutating func adopt(message text: String) {
    let kept = text.unicodeScalars.filter { scalar in
      scalar == " " || !(scalar.properties.generalCategory == .control)
    }
    let cut = String(String.UnicodeScalarView(kept.prefix(Self.maximumMessageLength)))
    if cut.contains(where: { !$0.isWhitespace }) { message = cut }
  }
}
