package import Foundation

/// An experiment's output folder: what was asked and what was recorded, so that its report can be made again.
///
/// `experiment.json` holds all but the runs, `runs/` a file for each run, `discards.json` runs that left no record.
package struct ExperimentFolder {
  package let url: URL

  package init(_ url: URL) { self.url = url }

  package var resultsFile: URL { url.appendingPathComponent(ResultsFile.name) }
  package var eventsFile: URL { url.appendingPathComponent(EventsCSVWriter.name) }
  private static let descriptionVersion = 2
  private var descriptionFile: URL { url.appendingPathComponent("experiment.json") }
  private var discardsFile: URL { url.appendingPathComponent("discards.json") }
  private var runsFolder: URL { url.appendingPathComponent("runs", isDirectory: true) }

  /// Makes the folder, with what is above it; what is in it stays.
  package func create(withRuns: Bool = true) throws(FileError) {
    let folder = withRuns ? runsFolder : url
    do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
      throw .unwritable(folder, error)
    }
  }

  package func write(_ description: ExperimentDescription) throws(FileError) {
    try VersionedJSON.write(Versioned(version: Self.descriptionVersion, content: description), to: descriptionFile)
  }

  package func readDescription() throws(FileError) -> ExperimentDescription {
    let data = try VersionedJSON.read(descriptionFile)
    return try VersionedJSON.decode(
      Versioned<ExperimentDescription>.self, from: data, name: descriptionFile.path, what: "an experiment.json",
      versions: Self.descriptionVersion...Self.descriptionVersion
    ).content
  }

  package func write(_ record: RunRecord) throws(FileError) {
    try RunFile.write(record, to: runFile(arm: record.arm, repetition: record.repetition))
  }

  package func readRun(arm: String, repetition: Int) throws(FileError) -> RunRecord {
    try RunFile.read(runFile(arm: arm, repetition: repetition))
  }

  /// Runs that were discarded without a record, as those whose client could not start.
  package func write(discards: [DiscardedRun]) throws(FileError) {
    try VersionedJSON.write(Versioned(version: 1, content: discards), to: discardsFile)
  }

  package func readDiscards() throws(FileError) -> [DiscardedRun] {
    guard FileManager.default.fileExists(atPath: discardsFile.path) else { return [] }
    return try VersionedJSON.decode(
      Versioned<[DiscardedRun]>.self, from: try VersionedJSON.read(discardsFile), name: discardsFile.path,
      what: "a discards.json", versions: 1...1
    ).content
  }

  /// Analyses what is in the folder, a run at a time; `each` sees every run and whether it was discarded.
  package func results(
    companions: [CompanionExperiment] = [], each: (RunRecord, DiscardedRun?) throws(FileError) -> Void = { _, _ in }
  ) throws(FileError) -> ExperimentResults {
    var analysis = ExperimentAnalysis(try readDescription())
    for file in try runFiles() {
      let record = try RunFile.read(file)
      try each(record, analysis.add(record))
    }
    for run in try readDiscards() { analysis.discard(run) }
    return analysis.results(companions: companions) { try? readRun(arm: $0, repetition: $1) }
  }

  private func runFiles() throws(FileError) -> [URL] {
    do {
      return try FileManager.default.contentsOfDirectory(at: runsFolder, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "json" }.sorted { $0.lastPathComponent < $1.lastPathComponent }
    } catch { throw .unreadable(runsFolder, error) }
  }

  /// For example `h3-0007.json`; what a path cannot hold is percent-encoded, as an arm's name may be a command.
  private func runFile(arm: String, repetition: Int) -> URL {
    let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
    let name = arm.addingPercentEncoding(withAllowedCharacters: allowed) ?? "arm"
    let digits = String(repetition)
    let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return runsFolder.appendingPathComponent("\(name)-\(repetition < 0 ? "warm-up" : padded).json")
  }

  private struct Versioned<Content: Codable>: Codable {
    var version: Int
    var content: Content
  }
}
