package import ResolveKitCore

extension RemoteForm {
  private static let maximumFields = 50
  private static let maximumChoices = 500

  /// Reads the schema that a server asks by. Throws ``RemoteError`` for one that is not of the kinds that MCP has, so that
  /// nobody fills in a part of a form.
  package init(schema: JSONValue?) throws(RemoteError) {
    guard let schema = schema?.objectValue else {
      fields = []
      return
    }
    let properties = schema["properties"]?.objectValue ?? [:]
    let required = (schema["required"]?.arrayValue ?? []).compactMap(\.stringValue)
    guard properties.count <= Self.maximumFields else {
      throw RemoteError(
        .malformed, "The form has \(properties.count) fields; more than \(Self.maximumFields) are not shown.")
    }
    var names: [String] = []
    for name in required.prefix(Self.maximumFields) where !names.contains(name) { names.append(name) }
    let isRequired = Set(names)
    names += properties.keys.filter { !isRequired.contains($0) }.sorted()
    var fields: [Field] = []
    for name in names {
      guard let kind = properties[name]?.objectValue.flatMap(Self.kind) else {
        throw RemoteError(.malformed, "The form's field '\(name.prefix(60))' is of a kind that is not known here.")
      }
      fields.append(Field(name, properties[name]?.objectValue ?? [:], kind, isRequired: isRequired.contains(name)))
    }
    self.fields = fields
  }

  private static func kind(_ property: JSONObject) -> Kind? {
    let type = property["type"]?.stringValue
    guard type != nil || property["type"] == nil else { return nil }
    switch type {
    case "string"?, nil:
      if let choices = choices(property) { return .choice(choices) }
      guard type != nil, ["enum", "oneOf", "anyOf"].allSatisfy({ property[$0] == nil }) else { return nil }
      return .text(
        format: property["format"]?.stringValue, minimumLength: property["minLength"]?.integerValue,
        maximumLength: property["maxLength"]?.integerValue)
    case let type? where type == "number" || type == "integer":
      return .number(
        isInteger: type == "integer", minimum: property["minimum"]?.numberValue,
        maximum: property["maximum"]?.numberValue)
    case "boolean"?: return .yesOrNo
    case "array"?:
      guard let items = property["items"]?.objectValue, let choices = choices(items) else { return nil }
      return .choices(
        choices, minimum: property["minItems"]?.integerValue, maximum: property["maxItems"]?.integerValue)
    case .some: return nil
    }
  }

  /// nil where there is nothing to choose from, or something else than texts.
  private static func choices(_ property: JSONObject) -> [Choice]? {
    let listed = property["oneOf"]?.arrayValue ?? property["anyOf"]?.arrayValue
    let titled = listed?.map { option -> Choice? in
      guard let option = option.objectValue, let value = option["const"]?.stringValue else { return nil }
      return Choice(value: value, title: option["title"]?.stringValue ?? value)
    }
    let names = property["enumNames"]?.arrayValue ?? []
    let plain = property["enum"]?.arrayValue?.enumerated().map { index, value -> Choice? in
      guard let value = value.stringValue else { return nil }
      return Choice(value: value, title: index < names.count ? names[index].stringValue ?? value : value)
    }
    guard let found = titled ?? plain, (1...maximumChoices).contains(found.count) else { return nil }
    let choices = found.compactMap(\.self)
    return choices.count == found.count ? choices : nil
  }
}

extension RemoteForm.Field {
  /// A server's proposal counts where it is an answer that the server takes.
  fileprivate init(_ name: String, _ property: JSONObject, _ kind: RemoteForm.Kind, isRequired: Bool) {
    let title = property["title"]?.stringValue ?? name
    let about = property["description"]?.stringValue
    let bare = Self(name: name, title: title, about: about, isRequired: isRequired, kind: kind, preset: nil)
    var preset: JSONValue?
    if let proposed = property["default"], (try? bare.check(proposed)) != nil { preset = proposed }
    self.init(name: name, title: title, about: about, isRequired: isRequired, kind: kind, preset: preset)
  }
}
