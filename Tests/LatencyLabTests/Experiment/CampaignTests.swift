import Foundation
import Testing

@testable import latency_lab

struct CampaignTests {
  @Test func argumentsOfAllCellsComeBehindACellsOwn() throws {
    let campaign = try Campaign(
      json: Data(
        #"{"run": ["--seeds", "5"], "cells": [{"name": "one", "run": ["loss-1"]}, {"name": "two", "run": ["lan"]}]}"#
          .utf8))
    #expect(
      campaign.cells == [
        .init(name: "one", arguments: ["loss-1", "--seeds", "5"]),
        .init(name: "two", arguments: ["lan", "--seeds", "5"]),
      ])
  }

  @Test(arguments: [
    "", "[]", #"{"cells": []}"#, #"{"cells": [{"name": "a"}]}"#, #"{"cells": [{"name": "../a", "run": ["lan"]}]}"#,
    #"{"cells": [{"name": "", "run": ["lan"]}]}"#,
    #"{"cells": [{"name": "a", "run": ["lan"]}, {"name": "a", "run": ["lan"]}]}"#,
  ])
  func whatIsNoCampaignIsRefused(_ json: String) {
    let error = #expect(throws: LabError.self) { try Campaign(json: Data(json.utf8)) }
    #expect(error?.code == .usage)
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
