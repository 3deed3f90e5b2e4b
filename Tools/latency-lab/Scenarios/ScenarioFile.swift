import Foundation
import LatencyReport
import LinkModel

/// Scenarios as JSON files. The lab's README and ``ScenarioSchema`` describe them.
enum ScenarioFile {
  /// Larger than any scenario that is written by hand, a recorded cadence included.
  private static let mostBytes = 16 << 20

  /// Reads a scenario and, beside it, the delivery traces that it names.
  static func read(_ path: String) throws(ScenarioError) -> Scenario {
    let file = URL(fileURLWithPath: path)
    let document = try prefixed(path) { () throws(ScenarioError) -> JSONNode in
      try JSONNode(json: bytes(of: file, most: mostBytes))
    }
    return try prefixed(path) { () throws(ScenarioError) -> Scenario in
      try scenario(from: document, folder: file.deletingLastPathComponent())
    }
  }

  /// A scenario's file, with which ``read(_:)`` gives it back.
  static func text(of scenario: Scenario) throws(ScenarioError) -> String {
    try document(of: scenario).document
  }

  /// A scenario in the file's form.
  static func document(of scenario: Scenario) throws(ScenarioError) -> JSONNode {
    try JSONNode(encoding: scenario)
  }

  /// - Parameter folder: what the paths of traces are relative to; nil where there is no file.
  static func scenario(from document: JSONNode, folder: URL? = nil) throws(ScenarioError) -> Scenario {
    var problems = ScenarioShape.scenario.problems(in: document)
    if case .text(let name)? = document["name"], !isName(name) {
      problems.append(.init("name", "Found \"\(name)\"; allowed are lower-case letters, digits and hyphens."))
    }
    if case .text(let name)? = document["headline"], Metric(rawValue: name) == nil {
      let names = Metric.allCases.map(\.rawValue).joined(separator: ", ")
      problems.append(.init("headline", "Found \"\(name)\"; allowed are \(names)."))
    }
    guard problems.isEmpty else { throw ScenarioError(problems) }
    var document = document
    if var link = document["link"], let direction = link["bothWays"] {
      link["bothWays"] = nil
      link["toClient"] = direction
      link["toServer"] = direction
      document["link"] = link
    }
    try readTraces(&document, folder)
    let scenario: Scenario
    do {
      scenario = try JSONDecoder().decode(Scenario.self, from: Data(document.document.utf8))
    } catch {
      throw ScenarioError("", "The scenario cannot be read: \(error)")
    }
    try check(scenario)
    return scenario
  }

  /// Checks that the shape cannot express: relations between fields.
  static func check(_ scenario: Scenario) throws(ScenarioError) {
    do {
      try scenario.link.validate()
    } catch {
      let field = error.field.replacing("[", with: ".").replacing("]", with: "")
      throw ScenarioError("link.\(field)", "Found \(error.value); allowed is \(error.allowed).")
    }
    do {
      _ = try StreamSchedule(
        scenario.workload, seed: 0, roundTripMilliseconds: min(60_000, scenario.link.roundTripMilliseconds))
    } catch {
      throw ScenarioError("workload", error.message)
    }
  }

  static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || $0 == UInt8(ascii: "-")
      }
  }

  // MARK: Files

  /// Puts the times of each `deliveryTraceFile` in its place.
  private static func readTraces(_ document: inout JSONNode, _ folder: URL?) throws(ScenarioError) {
    for name in ["toClient", "toServer"] {
      guard var link = document["link"], var direction = link[name],
        case .text(let path)? = direction["deliveryTraceFile"]
      else { continue }
      let place = "link.\(name).deliveryTraceFile"
      guard direction["deliveryOpportunitiesMilliseconds"] == nil else {
        throw ScenarioError(place, "Give this or deliveryOpportunitiesMilliseconds, not both.")
      }
      let times = try trace(URL(fileURLWithPath: path, relativeTo: folder), at: place)
      direction["deliveryTraceFile"] = nil
      direction["deliveryOpportunitiesMilliseconds"] = .list(times.map { .number(Double($0)) })
      link[name] = direction
      document["link"] = link
    }
  }

  private static func trace(_ file: URL, at place: String) throws(ScenarioError) -> [Int] {
    let content = try prefixed(place) { () throws(ScenarioError) -> Data in
      try bytes(of: file, most: MahimahiTrace.mostBytes)
    }
    do {
      return try MahimahiTrace.opportunities(in: [UInt8](content))
    } catch {
      throw ScenarioError(place, "\(file.path) is not a Mahimahi trace: \(error).")
    }
  }

  static func bytes(of file: URL, most: Int) throws(ScenarioError) -> Data {
    do {
      let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
      guard size <= most else { throw ScenarioError("", "\(file.path) has \(size) bytes, more than \(most).") }
      return try Data(contentsOf: file)
    } catch let error as ScenarioError {
      throw error
    } catch {
      throw ScenarioError("", "\(file.path) cannot be read: \(error.localizedDescription)")
    }
  }

  private static func prefixed<Value>(
    _ place: String, _ body: () throws(ScenarioError) -> Value
  ) throws(ScenarioError) -> Value {
    do {
      return try body()
    } catch {
      throw ScenarioError(error.problems.map { .init($0.path.isEmpty ? place : "\(place): \($0.path)", $0.message) })
    }
  }
}
