import Foundation
import LinkModel
import Testing

@testable import latency_lab

@Suite struct ScenarioFileTests {
  static let least = """
    {"name": "mine", "about": "A.", "source": "B.", "link": {"bothWays": {"oneWayDelayMilliseconds": 10}},
     "workload": {"streams": 2, "durationSeconds": 1, "cadence": {"steady": {"tokensPerSecond": 20}}}}
    """

  private func scenario(_ text: String) throws -> Scenario {
    try ScenarioFile.scenario(from: JSONNode(json: Data(text.utf8)))
  }

  private func problems(_ text: String) -> [String] {
    do {
      _ = try scenario(text)
      return []
    } catch let error as ScenarioError {
      return error.problems.map(\.description)
    } catch {
      return ["another error: \(error)"]
    }
  }

  @Test func theLeastScenarioHasOneDirectionForBothWays() throws {
    let scenario = try scenario(Self.least)
    #expect(scenario.link == LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 10)))
    #expect(scenario.arms == nil)
  }

  struct Mistake: CustomTestStringConvertible, Sendable {
    var name: String
    var find: String
    var replace: String
    var problem: String
    var testDescription: String { name }
  }

  static let mistakes = [
    Mistake(
      name: "a key that is nearly right", find: "oneWayDelayMilliseconds", replace: "oneWayDelayMillisecond",
      problem: "Did you mean 'oneWayDelayMilliseconds'?"),
    Mistake(
      name: "a key in other letters", find: "\"streams\"", replace: "\"Streams\"",
      problem: "workload.Streams: Nobody knows 'Streams'. Did you mean 'streams'? Allowed are streams,"),
    Mistake(
      name: "a key that is nothing like any", find: "\"name\"", replace: "\"xyzzyqqq\"",
      problem: "xyzzyqqq: Nobody knows 'xyzzyqqq'. Allowed are name, about"),
    Mistake(
      name: "a missing key", find: "\"streams\": 2, ", replace: "",
      problem: "workload.streams: This is missing; allowed is a whole number, 1 to 64."),
    Mistake(
      name: "a number out of range", find: "\"durationSeconds\": 1", replace: "\"durationSeconds\": 0",
      problem: "workload.durationSeconds: Found 0; allowed is a number, more than 0 to 3600."),
    Mistake(
      name: "a text where a number belongs", find: "\"streams\": 2", replace: "\"streams\": \"2\"",
      problem: "workload.streams: Found \"2\"; allowed is a whole number, 1 to 64."),
    Mistake(
      name: "a fraction where a whole number belongs", find: "\"streams\": 2", replace: "\"streams\": 2.5",
      problem: "workload.streams: Found 2.5; allowed is a whole number, 1 to 64."),
    Mistake(
      name: "a flag where a number belongs", find: "\"streams\": 2", replace: "\"streams\": true",
      problem: "workload.streams: Found true; allowed"),
    Mistake(
      name: "two kinds of a choice", find: "\"steady\"", replace: "\"bursts\": {\"tokens\": 1}, \"steady\"",
      problem: "workload.cadence: Found an object with bursts, steady; allowed is an object with one of steady"),
    Mistake(
      name: "one direction alone", find: "bothWays", replace: "toClient",
      problem: "link: Found an object with toClient; allowed is an object with toClient and toServer, or with bothWays."
    ),
    Mistake(
      name: "an upper-case name", find: "mine", replace: "Mine",
      problem: "name: Found \"Mine\"; allowed are lower-case letters, digits and hyphens."),
    Mistake(
      name: "per cent where a probability belongs", find: "10}",
      replace: "10, \"loss\": {\"bernoulli\": {\"rate\": 3}}}",
      problem: "link.bothWays.loss.bernoulli.rate: Found 3; allowed is a number, 0 to 1; 3 % is 0.03."),
    Mistake(
      name: "fields that do not fit each other", find: "10}", replace: "10, \"queueBytes\": 5000}",
      problem: "link.toClient.queueBytes: Found 5000; allowed is set only beside rateBitsPerSecond"),
    Mistake(
      name: "a place in a list", find: "10}", replace: "10, \"outages\": [{\"startMilliseconds\": 1}]}",
      problem: "link.bothWays.outages.0.durationMilliseconds: This is missing"),
    Mistake(
      name: "a workload without an event", find: "\"durationSeconds\": 1",
      replace: "\"thinking\": {\"startMilliseconds\": 0, \"durationMilliseconds\": 9000}, \"durationSeconds\": 1",
      problem: "workload: Stream 0 has no event in 1 s"),
  ]

  @Test(arguments: mistakes) func aMistakeIsReportedWithItsPlaceAndWhatIsAllowed(_ mistake: Mistake) {
    let text = Self.least.replacing(mistake.find, with: mistake.replace)
    #expect(text != Self.least)
    let problems = problems(text)
    #expect(problems.contains { $0.contains(mistake.problem) }, "\(problems)")
  }

  @Test(arguments: ["", "{", "[1 2]", "\u{0}", "nul", "{\"a\":}", "[1e999]"])
  func whatIsNoJSONIsSaidToBeNone(_ text: String) throws {
    let problems = problems(text)
    #expect(problems.count >= 1)
    #expect(problems.allSatisfy { $0.hasPrefix("This is not JSON") }, "\(problems)")
  }

  @Test func nestingWithoutEndIsRefused() {
    #expect(!problems(String(repeating: "[", count: 100_000)).isEmpty)
    #expect(!problems(String(repeating: "{\"link\":", count: 10_000)).isEmpty)
  }

  @Test func aDropPatternHasAName() throws {
    let text = Self.least.replacing("10}", with: "10, \"loss\": {\"pattern\": {\"drops\": [true, false]}}}")
    let scenario = try scenario(text)
    #expect(scenario.link.toServer.loss == .pattern([true, false]))
    #expect(try ScenarioFile.text(of: scenario).contains("\"drops\""))
    #expect(try self.scenario(ScenarioFile.text(of: scenario)) == scenario)
  }

  /// Those of the published results, which earlier versions wrote.
  @Test func keptScenariosAreRead() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Tools/latency-lab/results").standardizedFileURL
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .map { folder.appendingPathComponent($0).appendingPathComponent("scenario.json").path }
      .filter(FileManager.default.fileExists(atPath:))
    #expect(kept.count >= 10)
    for path in kept { _ = try ScenarioFile.read(path) }
  }

  @Test func aDeliveryTraceIsReadBesideTheFile() throws {
    try withFolder { folder in
      try Data("5\n9\r\n30\n".utf8).write(to: folder.appendingPathComponent("down.trace"))
      let file = folder.appendingPathComponent("mine.json")
      let traced = Self.least.replacing("10}", with: "10, \"deliveryTraceFile\": \"down.trace\"}")
      try Data(traced.utf8).write(to: file)
      let scenario = try ScenarioFile.read(file.path)
      #expect(scenario.link.toClient.deliveryOpportunitiesMilliseconds == [5, 9, 30])
      try Data("5\nx\n".utf8).write(to: folder.appendingPathComponent("down.trace"))
      let error = #expect(throws: ScenarioError.self) { try ScenarioFile.read(file.path) }
      #expect(error?.description.contains("link.toClient.deliveryTraceFile") == true)
      #expect(error?.description.contains("line 2") == true)
      try FileManager.default.removeItem(at: folder.appendingPathComponent("down.trace"))
      let missing = #expect(throws: ScenarioError.self) { try ScenarioFile.read(file.path) }
      #expect(missing?.description.contains("cannot be read") == true)
    }
  }

  @Test func aFileThatIsNotThereIsNamed() {
    let error = #expect(throws: ScenarioError.self) { try ScenarioFile.read("/nowhere/mine.json") }
    #expect(error?.description.contains("/nowhere/mine.json") == true)
  }

  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scenario-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}
