package import Foundation

/// `results.json`: the whole outcome of an experiment; `ResultsSchema` describes it.
package enum ResultsFile {
  package static let name = "results.json"

  package static func write(_ results: ExperimentResults, to url: URL) throws(FileError) {
    try VersionedJSON.write(results, to: url)
  }

  package static func read(_ url: URL) throws(FileError) -> ExperimentResults {
    try decode(try VersionedJSON.read(url), name: url.path)
  }

  package static func decode(_ data: Data, name: String = ResultsFile.name) throws(FileError) -> ExperimentResults {
    let stored = try VersionedJSON.decode(
      StoredResults.self, from: data, name: name, what: "a results.json",
      versions: 1...ExperimentResults.currentVersion)
    do { return try stored.results() } catch { throw FileError("'\(name)' holds what was not measured: \(error).") }
  }
}
