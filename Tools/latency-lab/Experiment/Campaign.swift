import Foundation

/// Experiments that are run one after the other, over as many sittings as it takes: a file names the cells.
struct Campaign {
  struct Cell: Hashable {
    /// The name of the cell's folder.
    var name: String
    /// The arguments of `run`.
    var arguments: [String]
  }

  private struct File: Decodable {
    struct Cell: Decodable {
      var name: String
      var run: [String]
    }

    /// Arguments of every cell. Its own come behind them, and win.
    var run: [String]?
    var cells: [Cell]
  }

  private static let mostBytes = 1 << 20
  private static let arguments = Shape.list(of: .text(most: 10_000), .init(0, 200))
  private static let shape = Shape.object([
    .init("run", "Arguments of 'run' for every cell; those of a cell win.", arguments),
    .init(
      "cells", "The experiments.",
      .list(
        of: .object([
          .init("name", "Lower-case letters, digits and hyphens; names the folder.", .text(most: 64), isRequired: true),
          .init("run", "The arguments of 'run'.", arguments, isRequired: true),
        ]), .init(1, 1_000)), isRequired: true),
  ])

  let cells: [Cell]

  static func read(_ path: String) throws(ScenarioError) -> Campaign {
    try Campaign(json: try ScenarioFile.bytes(of: URL(fileURLWithPath: path), most: mostBytes))
  }

  /// Reads `{"run": ["--duration", "8"], "cells": [{"name": "loss-1", "run": ["loss-1", "--streams", "1"]}]}`.
  init(json: Data) throws(ScenarioError) {
    let document = try JSONNode(json: json)
    let problems = Self.shape.problems(in: document)
    guard problems.isEmpty else { throw ScenarioError(problems) }
    let file: File
    do {
      file = try JSONDecoder().decode(File.self, from: json)
    } catch {
      throw ScenarioError("", "The campaign cannot be read: \(error)")
    }
    var names: Set<String> = []
    for (index, cell) in file.cells.enumerated() {
      guard ScenarioFile.isName(cell.name) else {
        throw ScenarioError(
          "cells.\(index).name", "Found \"\(cell.name)\"; allowed are lower-case letters, digits and hyphens.")
      }
      guard names.insert(cell.name).inserted else {
        throw ScenarioError(
          "cells.\(index).name", "Two cells have the name \(cell.name); each has a folder of its own.")
      }
    }
    cells = file.cells.map { Cell(name: $0.name, arguments: (file.run ?? []) + $0.run) }
  }
}

/// The folder of a campaign: a folder for each cell that is complete.
///
/// A cell is written beside its place, and moved there when it is whole, so that one that was interrupted is no result.
struct CampaignFolder {
  private let url: URL

  init(_ url: URL) {
    self.url = url
  }

  func place(of cell: Campaign.Cell) -> URL { url.appendingPathComponent(cell.name) }

  func isComplete(_ cell: Campaign.Cell) -> Bool {
    FileManager.default.fileExists(atPath: place(of: cell).path)
  }

  /// A fresh folder for a cell's runs; those of an interrupted sitting are removed.
  func begin(_ cell: Campaign.Cell) throws(LabError) -> URL {
    let draft = url.appendingPathComponent("\(cell.name).partial")
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      if FileManager.default.fileExists(atPath: draft.path) { try FileManager.default.removeItem(at: draft) }
    } catch {
      throw LabError(.failed, "The folder of \(cell.name) cannot be made: \(error)")
    }
    return draft
  }

  func complete(_ cell: Campaign.Cell, _ draft: URL) throws(LabError) {
    do {
      try FileManager.default.moveItem(at: draft, to: place(of: cell))
    } catch {
      throw LabError(.failed, "\(cell.name) is measured, and cannot be moved from '\(draft.path)': \(error)")
    }
  }
}
