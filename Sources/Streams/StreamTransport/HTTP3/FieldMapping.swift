import HTTP3Engine
import HTTPTypes

/// Between swift-http-types' messages and the engine's field sections (RFC 9114 § 4.3).
enum FieldMapping {
  static func section(for request: HTTPRequest, to origin: Origin) -> [HeaderField] {
    var section = [
      HeaderField(":method", request.method.rawValue),
      HeaderField(":scheme", request.scheme ?? origin.scheme.rawValue),
      HeaderField(":authority", request.authority ?? origin.authority),
      HeaderField(":path", request.path.flatMap { $0.isEmpty ? nil : $0 } ?? "/"),
    ]
    section += fields(request.headerFields)
    return section
  }

  static func section(for response: HTTPResponse) -> [HeaderField] {
    [HeaderField(":status", String(response.status.code))] + fields(response.headerFields)
  }

  static func fields(_ fields: HTTPFields) -> [HeaderField] {
    fields.compactMap { field in
      guard !RequestRules.isOfConnection(field) else { return nil }
      return HeaderField(field.name.canonicalName, field.value, isSensitive: field.indexingStrategy == .disallow)
    }
  }

  /// A message's fields, without its pseudo-fields; `HTTPFields` takes no more.
  private static let mostFields = Int(UInt16.max) - 1

  /// The response that the fields describe; nil when they describe none.
  static func response(from section: [HeaderField]) -> HTTPResponse? {
    guard let status = section.first(where: { $0.name == ":status" }), status.value.utf8.count == 3,
      let code = Int(status.value), (100...999).contains(code), let fields = regularFields(of: section)
    else { return nil }
    return HTTPResponse(status: .init(code: code), headerFields: fields)
  }

  /// The request that the fields describe; nil when they describe none.
  static func request(from section: [HeaderField]) -> HTTPRequest? {
    func pseudo(_ name: String) -> String? { section.first { $0.name == name }?.value }
    guard let method = pseudo(":method").flatMap({ HTTPRequest.Method($0) }), let fields = regularFields(of: section)
    else { return nil }
    return HTTPRequest(
      method: method, scheme: pseudo(":scheme"), authority: pseudo(":authority"), path: pseudo(":path"),
      headerFields: fields)
  }

  /// All but the pseudo-fields; nil where there are more than a message can have.
  static func regularFields(of section: [HeaderField]) -> HTTPFields? {
    guard section.count <= mostFields else { return nil }
    var fields = HTTPFields()
    var cookies: [String] = []
    for field in section where !field.name.hasPrefix(":") {
      guard let name = HTTPField.Name(field.name) else { continue }
      if name == .cookie {
        cookies.append(field.value)
      } else {
        fields.append(HTTPField(name: name, value: field.value))
      }
    }
    // Split for compression on the wire, one field for everybody else (RFC 9114 § 4.2.1). Set by its name, it would be
    // split again, into as many as the client has written semicolons.
    if !cookies.isEmpty { fields.append(HTTPField(name: .cookie, value: cookies.joined(separator: "; "))) }
    return fields
  }
}
