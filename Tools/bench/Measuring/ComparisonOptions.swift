import ArgumentParser
import Foundation

/// The sections of a comparison to run, and the form of its tables.
struct ComparisonOptions<Section>: ParsableArguments
where Section: CaseIterable & Equatable & ExpressibleByArgument & Sendable {
  @Option(help: "Only these sections; may be repeated.")
  var only: [Section] = []

  @Flag(help: "Print one JSON object in place of the tables.")
  var json = false

  /// Runs the sections in turn, and prints the tables of each as soon as it has ended.
  func run(_ name: String, _ programs: Programs, _ body: (Section) throws -> [ComparisonTable]) throws {
    var tables: [ComparisonTable] = []
    for section in Section.allCases where only.isEmpty || only.contains(section) {
      let added = try body(section)
      if !json { for table in added { print(table.text) } }
      // A section takes minutes, and a pipe would keep it until the end.
      fflush(nil)
      tables += added
    }
    if json { print(try ComparisonTable.json(name, tables, skipped: programs.skipped)) }
  }
}
