import ArgumentParser
import Foundation
import LinkEmulator
import Testing

@testable import latency_lab

struct ExperimentInputTests {
  @Test func armsAreListedOnceAndInOrder() throws {
    #expect(try Arm.list("h1, h3,h1").map(\.name) == ["h1", "h3"])
    #expect(Set(Arm.all.map(\.name)).count == Arm.all.count)
    #expect(throws: LabError.self) { try Arm.list("") }
    let error = #expect(throws: LabError.self) { try Arm.list("h3,h9") }
    #expect(error?.message.contains("'h9'") == true && error?.message.contains("curl-h3") == true)
  }

  /// A ladder: each of the first has one setting, and the last has them all.
  @Test func tunedArmsDifferFromTheStockOneInTheirSettings() throws {
    let notes = try Arm.list("h2,h2-rto,h2-thin,h2-lowat,h2-tuned").map(\.tuning.notes)
    #expect(notes.map(\.count) == [0, 1, 1, 1, 3])
    #expect(notes[4] == notes[1] + notes[2] + notes[3])
    #expect(try Arm.list("h1-rto").map(\.tuning) == Arm.list("h2-rto").map(\.tuning))
  }

  @Test func whatIsTheLinksCannotBeOneArmsBesideADownload() throws {
    var scenario = try #require(Presets.named("loss-2"))
    scenario.workload.crossTraffic = true
    let folder = URL(fileURLWithPath: "/nowhere")
    for name in ["h2-bbr", "h2-rto", "h2-thin", "h2-lowat"] {
      let options = try ExperimentOptions.parse(["--arms", "h3,\(name)"])
      let error = #expect(throws: LabError.self) {
        try options.request(for: scenario, commandLine: [], folder: folder)
      }
      #expect(error?.message.contains("The arm \(name) cannot run beside cross traffic") == true)
    }
    let stock = try ExperimentOptions.parse(["--arms", "h3,h2"])
    #expect(try stock.request(for: scenario, commandLine: [], folder: folder).arms.map(\.name) == ["h3", "h2"])
  }

  @Test func everyPresetNamesArmsThatThereAre() throws {
    for scenario in Presets.all {
      let names = scenario.arms ?? Arm.defaultNames
      #expect(try Arm.list(names.joined(separator: ",")).count == names.count, "\(scenario.name)")
    }
  }

  @Test func aServersCommandNeedsAPort() throws {
    #expect(try ServerChoice("ours") == .ours)
    #expect(try ServerChoice("caddy") == .caddy)
    let peer = try ServerChoice("peer:nginx130")
    #expect(peer == .peer("nginx130") && peer.argument == "peer:nginx130")
    for name in ["peer:", "peer:../x", "peer:a b", "peer:ä"] {
      #expect(throws: LabError.self) { _ = try ServerChoice(name) }
    }
    #expect(try ServerChoice("serve {port}") == .command("serve {port}"))
    let error = #expect(throws: LabError.self) { try ServerChoice("nginx") }
    #expect(error?.message.contains("{port}") == true)
  }

  @Test func placeholdersAreQuotedWhereTheShellWantsIt() {
    let filled = ServerChoice.filled(
      "run --listen \"{address}:{port}\" {key} {port}",
      with: ["{address}": "198.18.1.100", "{port}": "4433", "{key}": "/tmp/it's mine/key"])
    #expect(filled == "run --listen \"198.18.1.100:4433\" '/tmp/it'\\''s mine/key' 4433")
  }

  @Test func numbersOfAGridAreReadWhole() {
    #expect(NumberList(argument: "0,1,2.5,1")?.values == [0, 1, 2.5])
    #expect(NumberList(argument: "0,1,2.5,1")?.text == "0,1,2.5")
    for text in ["", "1,", "a", "-1", "1,inf", "nan"] { #expect(NumberList(argument: text) == nil, "'\(text)'") }
  }

  @Test func aFolderThatHoldsAnExperimentIsRefused() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("output-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    try OutputFolder(url).requireUnused()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try OutputFolder(url).requireUnused()
    try OutputFolder(url).write(Presets.all[0])
    #expect(try ScenarioFile.read(url.appendingPathComponent("scenario.json").path) == Presets.all[0])
    try FileManager.default.createDirectory(
      at: url.appendingPathComponent("runs"), withIntermediateDirectories: false)
    #expect(throws: LabError.self) { try OutputFolder(url).requireUnused() }
  }

  /// A killed process's folders are removed; ones that only look alike stay.
  @Test func onlyOnesOwnStaleFoldersAreRemoved() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("materials-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let manager = FileManager.default
    let nobody = Int32.max
    let names = [
      "latency-lab-\(nobody)-\(UUID().uuidString)": 0o700, "latency-lab-\(nobody)-mine": 0o700,
      "latency-lab-2026": 0o700,
      "latency-lab-\(getpid())-\(UUID().uuidString)": 0o700, "latency-lab-\(nobody)-\(UUID().uuidString)": 0o755,
    ]
    for (name, mode) in names {
      try manager.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: true,
        attributes: [.posixPermissions: mode])
    }
    RunMaterials.removeStale(in: folder)
    let left = Set(try manager.contentsOfDirectory(atPath: folder.path))
    #expect(Set(names.keys).subtracting(left).count == 1)
    #expect(left.count == 4)
  }
}
