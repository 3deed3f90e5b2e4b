import HTTP3Engine

/// The runner's orders to the endpoint, as they stand in the environment.
struct EndpointContract: Equatable {
  enum Role: String {
    case client
    case server
  }

  enum Refusal: Error, Equatable {
    /// A case that this endpoint does not know: the runner continues without it.
    case unsupported
    /// One sentence of what is wrong.
    case invalid(String)
  }

  var role: Role
  var testCase: EndpointCase
  var mapping: ApplicationProtocol
  var requests: [RequestTarget] = []
  var www = "/www"
  var downloads = "/downloads"
  var certificates = "/certs"
  /// The address that the server listens on.
  var address = "::"
  var port = 443
  var keyLogFile: String?
  var qlogDirectory: String?

  /// Reads the contract; nothing is opened. An unknown case is found before anything else.
  init(environment: [String: String]) throws(Refusal) {
    guard let testCase = environment["TESTCASE"].flatMap(EndpointCase.init) else { throw .unsupported }
    self.testCase = testCase
    guard let role = environment["ROLE"].flatMap(Role.init) else {
      throw .invalid("ROLE is '\(environment["ROLE"] ?? "")'; set it to client or server.")
    }
    self.role = role
    mapping = testCase == .http3 ? .http3 : .http09
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    try readParameters(value(role == .client ? "CLIENT_PARAMS" : "SERVER_PARAMS") ?? "")
    keyLogFile = value("SSLKEYLOGFILE")
    qlogDirectory = value("QLOGDIR")
    www = value("WWW") ?? www
    downloads = value("DOWNLOADS") ?? downloads
    certificates = value("CERTS") ?? certificates
    address = value("ADDRESS") ?? address
    if let text = value("PORT") {
      guard let port = Int(text), (0...65_535).contains(port) else {
        throw .invalid("PORT is '\(text)'; give a UDP port from 1 to 65535, or 0 for any.")
      }
      self.port = port
    }
    guard role == .client else { return }
    for text in (environment["REQUESTS"] ?? "").split(separator: " ") { requests.append(try RequestTarget(text)) }
    guard !requests.isEmpty else { throw .invalid("REQUESTS names no URL to fetch.") }
    let names = requests.map(\.fileName)
    guard Set(names).count == names.count else { throw .invalid("REQUESTS names two files that have one name.") }
  }

  private mutating func readParameters(_ text: String) throws(Refusal) {
    var words = text.split(separator: " ").map(String.init)[...]
    while let word = words.popFirst() {
      switch (word, words.popFirst()) {
      case ("--protocol", "h3"): mapping = .http3
      case ("--protocol", "hq"): mapping = .http09
      default: throw .invalid("The parameters '\(text)' are not understood; there is only '--protocol h3' or 'hq'.")
      }
    }
  }
}
