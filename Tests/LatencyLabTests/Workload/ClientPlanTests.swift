import Foundation
import Testing

@testable import latency_lab

struct ClientPlanTests {
  private static let whole = """
    {"origin": "https://198.18.1.100:4433", "authorityFile": "authority.pem", "offsetsNanoseconds": [[0, 5], [2]],
     "leadMilliseconds": 300, "deadlineMilliseconds": 5000}
    """

  private static func parse(_ text: String) throws -> ClientPlan {
    try ClientPlan.parse(Data(text.utf8), "plan.json")
  }

  @Test func aPlanIsReadAndWrittenBack() throws {
    let plan = try Self.parse(Self.whole)
    #expect(plan.offsetsNanoseconds == [[0, 5], [2]])
    #expect(plan.toolSequence == nil && plan.downloadBytes == nil && plan.eventBytes == nil)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("plan.json").path
    try plan.write(to: path)
    #expect(try ClientPlan.read(path) == plan)
  }

  @Test(arguments: [
    ("", "is not a plan for a client"), ("[]", "is not a plan for a client"), ("{}", "key 'origin' is missing"),
    (whole.replacing("[[0, 5], [2]]", with: "[[0, \"x\"]]"), "at 'offsetsNanoseconds.Index 0.Index 1'"),
    (whole.replacing("[[0, 5], [2]]", with: "[[5, 0], [2]]"), "offsetsNanoseconds[0][1] is 0; it may be 5"),
    (whole.replacing("[[0, 5], [2]]", with: "[[-1]]"), "offsetsNanoseconds[0][0] is -1"),
    (whole.replacing("[[0, 5], [2]]", with: "[[0], []]"), "Stream 1 of offsetsNanoseconds has no event"),
    (whole.replacing("[[0, 5], [2]]", with: "[]"), "has 0 streams; it may have 1 to 64"),
    (whole.replacing("[[0, 5], [2]]", with: "[[9000000000000000000]]"), "is 9000000000000000000; it may be"),
    (whole.replacing("[[0, 5], [2]]", with: "[[99999999999999999999999]]"), "is not a plan for a client"),
    (whole.replacing("https://198.18.1.100:4433", with: "http://198.18.1.100"), "give one such as https://"),
    (whole.replacing("https://198.18.1.100:4433", with: "not a URL"), "give one such as https://"),
    (whole.replacing("authority.pem", with: ""), "name a PEM file"),
    (whole.replacing("\"leadMilliseconds\": 300", with: "\"leadMilliseconds\": -1"), "leadMilliseconds is -1.0"),
    (
      whole.replacing("\"deadlineMilliseconds\": 5000", with: "\"deadlineMilliseconds\": 1e300"),
      "deadlineMilliseconds is 1e+300; it may be 0 to 7200000"
    ),
    (whole.replacing("5000}", with: "5000, \"toolSequence\": 1}"), "stream 1 has 1 events"),
    (whole.replacing("5000}", with: "5000, \"toolSequence\": -1}"), "toolSequence is -1"),
    (whole.replacing("5000}", with: "5000, \"abortSequence\": 1}"), "abortSequence is 1; stream 1 has 1 events"),
    (whole.replacing("5000}", with: "5000, \"abortSequence\": -1}"), "abortSequence is -1"),
    (whole.replacing("5000}", with: "5000, \"downloadBytes\": 0}"), "downloadBytes is 0"),
    (whole.replacing("5000}", with: "5000, \"eventBytes\": 3}"), "eventBytes is 3; it may be 80"),
    (whole.replacing("5000}", with: "5000, \"idleTimeoutMilliseconds\": 0}"), "it is at least 1"),
  ])
  func rubbishIsRefusedInWords(_ text: String, _ words: String) {
    let error = #expect(throws: WorkloadError.self) { try Self.parse(text) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("plan.json") == true)
  }

  @Test func aFileThatIsNotThereIsNamed() {
    let error = #expect(throws: WorkloadError.self) { try ClientPlan.read("/nowhere/plan.json") }
    #expect(error?.message.hasPrefix("The plan '/nowhere/plan.json' cannot be read") == true)
  }

  @Test func tooManyEventsAreRefused() {
    let offsets = [Int64](repeating: 0, count: Workload.Limits.events / 2 + 1)
    let plan = ClientPlan(
      origin: "https://localhost", authorityFile: "a.pem", offsetsNanoseconds: [offsets, offsets],
      leadMilliseconds: 0, deadlineMilliseconds: 1)
    let error = #expect(throws: WorkloadError.self) { try plan.check() }
    #expect(error?.message == "offsetsNanoseconds has 2000002 events; it may have 2000000.")
  }

  /// A silence that the schedule wants is no broken stream.
  @Test(
    arguments: [
      ([[0, 1]], nil, Duration.seconds(25)), ([[0, 1], [0, 60_000]], nil, .seconds(65)),
      ([[40_000]], nil, .milliseconds(45_300)), ([[0, 60_000]], 500, .milliseconds(500)),
    ] as [([[Int64]], Double?, Duration)])
  func theIdleTimeoutOutlastsTheSchedulesPauses(_ offsets: [[Int64]], _ asked: Double?, _ timeout: Duration) {
    let plan = ClientPlan(
      origin: "https://localhost", authorityFile: "a.pem",
      offsetsNanoseconds: offsets.map { $0.map { $0 * 1_000_000 } },
      leadMilliseconds: 300, deadlineMilliseconds: 1, idleTimeoutMilliseconds: asked)
    #expect(plan.idleTimeout == timeout)
  }
}
