import ArgumentParser
import Foundation
import Testing

@testable import latency_lab

struct CampaignTests {
  @Test func aCellsArgumentsWinOverThoseOfAllCells() throws {
    let campaign = try Campaign(
      json: Data(
        #"{"run": ["--seeds", "5"], "cells": [{"name": "one", "run": ["loss-1"]}, {"name": "two", "run": ["lan"]}]}"#
          .utf8))
    #expect(
      campaign.cells == [
        .init(name: "one", arguments: ["--seeds", "5", "loss-1"]),
        .init(name: "two", arguments: ["--seeds", "5", "lan"]),
      ])
  }

  @Test func theLastOfTwoArgumentsIsTaken() throws {
    let campaign = try Campaign(
      json: Data(#"{"run": ["--duration", "8"], "cells": [{"name": "a", "run": ["lan", "--duration", "4"]}]}"#.utf8))
    let request = try RunCommand.parse(campaign.cells[0].arguments).request()
    #expect(request.commandLine.joined(separator: " ").contains("run lan --duration 4.0"))
  }

  @Test func theCommandOfAKeptCellNamesItsPlace() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("campaign-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(try ScenarioFile.text(of: try #require(Presets.named("lan"))).utf8).write(to: file)
    let request = try RunCommand.parse([file.path]).request(
      folder: URL(fileURLWithPath: "/out/a.partial"), kept: URL(fileURLWithPath: "/out/a"))
    #expect(request.folder.path == "/out/a.partial" && request.commandLine.contains("/out/a/scenario.json"))
  }

  /// The files that the documentation says are to be run.
  @Test(arguments: ["headline", "matrix"]) func everyCellOfAKeptCampaignIsAnExperiment(_ name: String) throws {
    let campaign = try Campaign.read(try LabScripts.path(of: "results/\(name).json"))
    for cell in campaign.cells {
      let request = try RunCommand.parse(cell.arguments).request(folder: URL(fileURLWithPath: "/out/\(cell.name)"))
      #expect(request.seeds.all.count == 5 && request.repetitions >= 10, "\(cell.name)")
    }
  }

  @Test func theMatrixHasEveryServerOnceAndTheSameClients() throws {
    let campaign = try Campaign.read(try LabScripts.path(of: "results/matrix.json"))
    let requests = try campaign.cells.map {
      try RunCommand.parse($0.arguments).request(folder: URL(fileURLWithPath: "/out/\($0.name)"))
    }
    #expect(
      requests.map(\.server) == [.ours, .caddy, .peer("nginx130"), .peer("envoy"), .peer("haproxy32")])
    let clients = ["h3", "curl-h3", "quic-go-h3", "chromium-h3", "h2", "curl-h2", "chromium-h2"]
    #expect(requests.allSatisfy { $0.arms.map(\.name) == clients && $0.scenario.name == "loss-2" })
  }

  @Test(arguments: [
    "", "[]", #"{"cells": []}"#, #"{"cells": [{"name": "a"}]}"#, #"{"cells": [{"name": "../a", "run": ["lan"]}]}"#,
    #"{"cells": [{"name": "", "run": ["lan"]}]}"#, #"{"runs": [], "cells": [{"name": "a", "run": ["lan"]}]}"#,
    #"{"cells": [{"name": "a", "run": ["lan"]}, {"name": "a", "run": ["lan"]}]}"#,
  ])
  func whatIsNoCampaignIsRefused(_ json: String) {
    #expect(throws: ScenarioError.self) { try Campaign(json: Data(json.utf8)) }
  }

  @Test func aCellThatWasInterruptedIsNoResultAndBeginsAnew() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("campaign-\(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    let folder = CampaignFolder(url)
    let cell = Campaign.Cell(name: "one", arguments: [])
    let first = try folder.begin(cell)
    try FileManager.default.createDirectory(at: first, withIntermediateDirectories: true)
    try Data("old".utf8).write(to: first.appendingPathComponent("results.json"))
    #expect(!folder.isComplete(cell))
    let second = try folder.begin(cell)
    #expect(!FileManager.default.fileExists(atPath: second.path))
    try FileManager.default.createDirectory(at: second, withIntermediateDirectories: true)
    try Data("new".utf8).write(to: second.appendingPathComponent("results.json"))
    try folder.complete(cell, second)
    #expect(folder.isComplete(cell) && !FileManager.default.fileExists(atPath: second.path))
    let kept = try Data(contentsOf: folder.place(of: cell).appendingPathComponent("results.json"))
    #expect(String(bytes: kept, encoding: .utf8) == "new")
  }
}
