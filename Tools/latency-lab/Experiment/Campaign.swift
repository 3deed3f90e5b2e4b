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

    /// Arguments of every cell, behind its own.
    var run: [String]?
    var cells: [Cell]
  }

  private static let mostBytes = 1 << 20
  private static let mostCells = 1_000

  let cells: [Cell]

  /// Reads `{"run": ["--duration", "8"], "cells": [{"name": "loss-1", "run": ["loss-1", "--streams", "1"]}]}`.
  init(json: Data) throws(LabError) {
    guard json.count <= Self.mostBytes else {
      throw LabError(.usage, "The campaign has \(json.count) bytes; 1 MiB is the most.")
    }
    let file: File
    do {
      file = try JSONDecoder().decode(File.self, from: json)
    } catch {
      throw LabError(
        .usage,
        "It is no campaign, as {\"run\": [\"--duration\", \"8\"], \"cells\": [{\"name\": …, \"run\": […]}]}: \(error)")
    }
    guard (1...Self.mostCells).contains(file.cells.count) else {
      throw LabError(.usage, "The campaign has \(file.cells.count) cells; give 1 to \(Self.mostCells).")
    }
    var names: Set<String> = []
    for cell in file.cells {
      guard ScenarioFile.isName(cell.name) else {
        throw LabError(
          .usage, "\"\(cell.name)\" is no cell's name; allowed are lower-case letters, digits and hyphens.")
      }
      guard names.insert(cell.name).inserted else {
        throw LabError(.usage, "Two cells have the name \(cell.name); each has a folder of its own.")
      }
    }
    cells = file.cells.map { Cell(name: $0.name, arguments: $0.run + (file.run ?? [])) }
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
