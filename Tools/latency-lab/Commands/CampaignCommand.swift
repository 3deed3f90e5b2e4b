import ArgumentParser
import Foundation
import LatencyReport
import LinkEmulator
import ToolSupport

struct CampaignCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "campaign",
    abstract: "Runs the experiments of a file one after the other, and continues where it was stopped.",
    discussion: """
      The file names cells, each with the arguments of 'run': {"run": ["--duration", "8"], "cells": [{"name": \
      "loss-1-1", "run": ["loss-1", "--streams", "1"]}]}; those of all cells come before a cell's own, which win.

      A cell that is complete has its folder below the output folder, and is passed over when the command is given again; \
      after a change of its arguments give another output folder. One that was interrupted, or for which no run was usable, is measured anew.
      """)

  @Argument(help: "The campaign's JSON file.")
  var file: String

  @Option(help: ArgumentHelp("The folder of all cells.", valueName: "folder"))
  var out: String

  @Option(
    help: ArgumentHelp("Begins no cell after this time; the next call continues.", valueName: "minutes"))
  var minutes: Double?

  func validate() throws {
    if let minutes, !(minutes > 0 && minutes <= 100_000) {
      throw ValidationError("--minutes takes more than 0, and at most 100000.")
    }
  }

  func run() async throws {
    let campaign: Campaign
    do {
      campaign = try Campaign.read(file)
    } catch {
      throw LabError(.usage, "\(file): \(error)")
    }
    // All of them are checked before the first one runs.
    let cells = try campaign.cells.map { ($0, try Self.parsed($0)) }
    try Privileges.ensure()
    let folder = CampaignFolder(URL(fileURLWithPath: out))
    let (failures, missed) = try await Interruption.watch(ending: "leaving the cell, which begins anew next time") {
      try await perform(cells, in: folder)
    }
    let open = campaign.cells.filter { !folder.isComplete($0) }.map(\.name)
    print("Complete: \(campaign.cells.count - open.count) of \(campaign.cells.count) cells, in \(out)")
    if !open.isEmpty { print("Open: \(open.joined(separator: ", "))") }
    guard failures.isEmpty else { throw LabError(.failed, failures.joined(separator: "\n")) }
    if missed { throw ExitCode(LabError.Code.budgetMissed.rawValue) }
  }

  /// A cell that cannot be measured is reported at the end; the others continue.
  private func perform(
    _ cells: [(Campaign.Cell, RunCommand)], in folder: CampaignFolder
  ) async throws -> (failures: [String], missedBudget: Bool) {
    let begun = ContinuousClock.now
    var failures: [String] = []
    var missed = false
    for (index, (cell, command)) in cells.enumerated() where !folder.isComplete(cell) {
      if let minutes, ContinuousClock.now - begun >= .seconds(minutes * 60) { break }
      StandardError.write("latency-lab: cell \(index + 1) of \(cells.count), \(cell.name)")
      do {
        let draft = try folder.begin(cell)
        let outcome = try await Experiment(try command.request(folder: draft, kept: folder.place(of: cell))).perform()
        if outcome.wasInterrupted { throw ExitCode(LabError.Code.interrupted.rawValue) }
        guard !outcome.results.arms.allSatisfy(\.runs.isEmpty) else {
          failures.append("\(cell.name): no run was usable; the report in '\(draft.path)' says why.")
          continue
        }
        missed = missed || outcome.results.budgets.contains { !$0.isKept }
        try folder.complete(cell, draft)
      } catch let code as ExitCode {
        throw code
      } catch {
        if Task.isCancelled { throw ExitCode(LabError.Code.interrupted.rawValue) }
        failures.append("\(cell.name): \(error)")
      }
    }
    return (failures, missed)
  }

  private static func parsed(_ cell: Campaign.Cell) throws(LabError) -> RunCommand {
    do {
      let command = try RunCommand.parse(cell.arguments)
      guard command.options.out == nil else { throw LabError(.usage, "leave --out to the campaign.") }
      _ = try command.request(folder: URL(fileURLWithPath: cell.name))
      return command
    } catch {
      throw LabError(.usage, "\(cell.name): \((error as? LabError)?.message ?? RunCommand.message(for: error))")
    }
  }
}
