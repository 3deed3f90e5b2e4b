import ArgumentParser
import HTTPTypes
import StreamTransport

/// Options of the request.
struct RequestOptions: ParsableArguments {
  @Option(
    name: [.customShort("X", allowingJoined: true), .customLong("request")],
    help: ArgumentHelp("The request's method (GET, or POST with -d).", valueName: "method"),
    transform: Self.method)
  var explicitMethod: HTTPRequest.Method?

  @Option(
    name: [.customShort("H", allowingJoined: true), .customLong("header")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      A field to send, such as 'accept: text/html', in place of h3get's own of that name. May be repeated. @FILE for \
      fields from a file, one a line: there, unlike here, no process list shows what they hold.
      """,
      valueName: "name: value"),
    transform: FieldArgument.init)
  var fields: [FieldArgument] = []

  @Option(
    name: [.customShort("d", allowingJoined: true), .customLong("data")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      A body to send: text, @FILE for a file's bytes as they are, @- for standard input's. POST is the method then, and \
      application/x-www-form-urlencoded the content-type, unless -X and -H say otherwise. If repeated, the parts are \
      joined by '&'.
      """, valueName: "data"))
  var data: [String] = []

  func validate() throws {
    guard data.count(where: { $0 == "@-" }) <= 1 else {
      throw ValidationError("Standard input can be read once; give -d @- once.")
    }
    guard fields.count <= Self.fieldLimit else { throw Self.tooManyFields }
    if explicitMethod == .head, !data.isEmpty {
      throw ValidationError("HEAD asks for fields alone; leave -d out, or give another method with -X.")
    }
  }

  /// The request without its path. Reads what `-H` and `-d` name; throws `ValidationError` where that cannot be.
  func message() throws -> RequestMessage {
    var fields = HTTPFields([HTTPField(name: .userAgent, value: "h3get")])
    var body: [UInt8]?
    if !data.isEmpty {
      body = try BodyArgument.read(data)
      fields[.contentType] = "application/x-www-form-urlencoded"
    }
    let own = try self.fields.flatMap { try $0.fields() }
    guard own.count <= Self.fieldLimit else { throw Self.tooManyFields }
    for name in Set(own.map(\.name)) { fields[name] = nil }
    for field in own { fields.append(field) }
    return RequestMessage(
      method: explicitMethod ?? (body == nil ? .get : .post), fields: fields, body: body.map { .bytes($0) } ?? .none)
  }

  private static let fieldLimit = 200
  private static var tooManyFields: ValidationError {
    ValidationError("\(fieldLimit) fields are the most that one request may carry.")
  }

  private static func method(_ text: String) throws -> HTTPRequest.Method {
    guard let method = HTTPRequest.Method(text) else {
      throw ValidationError("A method is a token such as GET, POST or PURGE.")
    }
    guard method != .connect else { throw ValidationError("CONNECT asks for a tunnel, which h3get does not make.") }
    return method
  }
}

/// A request to all of the run's URLs.
struct RequestMessage: Sendable {
  var method: HTTPRequest.Method
  var fields: HTTPFields
  var body: RequestBody

  func head(path: String) -> HTTPRequest {
    HTTPRequest(method: method, scheme: nil, authority: nil, path: path, headerFields: fields)
  }
}
