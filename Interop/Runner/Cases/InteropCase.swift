/// One behaviour that a client and a server are tried for: what is asked for, over which network, and what must be seen.
struct InteropCase: Sendable {
  enum Kind: Hashable, Sendable {
    case test
    /// A number that is measured several times; the cell shows its mean and standard deviation.
    case measurement(repetitions: Int, unit: String)
  }

  /// The letters of the matrix, as the public runner's.
  var abbreviation: String
  var name: String
  var about: String
  var kind = Kind.test
  /// The value of TESTCASE for either side.
  var clientTestCase: String
  var serverTestCase: String
  /// The name that the client asks, which decides the address family.
  var host = "server4"
  var files: [CaseFile]
  var network = CaseNetwork.simple
  var hasCrossTraffic = false
  /// Certificates from the leaf to the root's child; more than one makes each of them large.
  var certificateChainLength = 1
  var timeLimitSeconds = 60
  /// Whether the verdict reads what is encrypted.
  var needsKeys = false
  var rules: [Rule]
  /// An event stream in place of files, judged by what the client saw.
  var stream: StreamingCase?
  /// The usual least duration, which decides what is started first.
  var usualSeconds = 1.0

  init(
    _ abbreviation: String, _ name: String, about: String, testCase: String? = nil, serverTestCase: String? = nil,
    files: [CaseFile], rules: [Rule]
  ) {
    self.abbreviation = abbreviation
    self.name = name
    self.about = about
    clientTestCase = testCase ?? name
    self.serverTestCase = serverTestCase ?? testCase ?? name
    self.files = files
    self.rules = rules
  }

  var repetitions: Int {
    switch kind {
    case .test: 1
    case .measurement(let repetitions, _): repetitions
    }
  }

  var isMeasurement: Bool { kind != .test }

  /// With another number of runs, where it is a measurement and a number is given.
  func measured(_ count: Int?) -> InteropCase {
    guard let count, case .measurement(_, let unit) = kind else { return self }
    return changed { $0.kind = .measurement(repetitions: count, unit: unit) }
  }

  func changed(_ change: (inout InteropCase) -> Void) -> InteropCase {
    var copy = self
    change(&copy)
    return copy
  }
}
