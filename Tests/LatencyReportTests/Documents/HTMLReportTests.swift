import Foundation
import Testing

@testable import LatencyReport

@Suite("HTML report")
struct HTMLReportTests {
  @Test("is well-formed, stands alone, and its identifiers and links fit", arguments: DocumentCase.all)
  func isSound(_ item: DocumentCase) {
    let document = item.document
    #expect(document.problem == nil)

    let identifiers = document.elements.compactMap { $0.attributes["id"] }
    #expect(Set(identifiers).count == identifiers.count)
    let targets = document.elements.flatMap {
      ($0.attributes["aria-labelledby"] ?? "").split(separator: " ").map(String.init)
    }
    let links = document.named("a").compactMap { $0.attributes["href"] }
    #expect(!links.isEmpty)
    #expect(links.allSatisfy { $0.hasPrefix("#") && identifiers.contains(String($0.dropFirst())) })
    #expect(targets.allSatisfy(identifiers.contains))

    let fetching = ["src", "srcset", "action", "data", "poster", "background"]
    #expect(document.elements.allSatisfy { element in fetching.allSatisfy { element.attributes[$0] == nil } })
    #expect(Set(document.elements.map(\.name)).isDisjoint(with: ["link", "img", "iframe", "object", "embed", "use"]))
    #expect(document.named("script").count == 1 && document.named("style").count == 1)
    for style in document.named("style") {
      #expect(!style.text.contains("url(") && !style.text.contains("@import") && !style.text.contains("://"))
    }
  }

  @Test("has no coordinate that is not a number, and no number in words", arguments: DocumentCase.all)
  func hasNumbersOnly(_ item: DocumentCase) {
    let document = item.document
    for element in document.elements {
      for name in ["d", "x", "y", "width", "height", "viewBox"] {
        let value = (element.attributes[name] ?? "").lowercased()
        #expect(!value.contains("nan") && !value.contains("inf") && !value.contains("e"), "\(element.name) \(name)")
      }
    }
    let words = Set(
      document.elements.filter { ["text", "td", "dd", "title", "desc"].contains($0.name) }.flatMap {
        $0.text.lowercased().split { !$0.isLetter }
      })
    #expect(words.isDisjoint(with: ["nan", "inf"]))
  }

  @Test("stays small", arguments: DocumentCase.all)
  func isSmall(_ item: DocumentCase) {
    #expect(item.html.utf8.count < 1_000_000)
  }

  @Test("is the same for the same results", arguments: DocumentCase.all.prefix(3))
  func isDeterministic(_ item: DocumentCase) {
    #expect(HTMLReport(item.results).source == item.html)
  }

  @Test(
    "says question, verdict, what would change it, how to rerun it, and what to keep in mind",
    arguments: DocumentCase.all)
  func saysWhatMatters(_ item: DocumentCase) {
    let results = item.results
    let text = item.document.elements.first?.text ?? ""
    let header = results.header
    for sentence in [header.question, header.verdict, header.caveat] + header.honesty {
      #expect(text.contains(shown(ProseText.bound(sentence))))
    }
    #expect(text.contains(shown(header.provenance.rerunCommand)))
    #expect(text.contains("What to keep in mind") && text.contains("noise floor"))
    #expect(text.contains(results.header.provenance.kernel))
    #expect(results.arms.contains { !$0.runs.isEmpty } || text.contains("No run was kept"))
  }

  @Test("calls a difference that is none by its name")
  func saysThatNoDifferenceIsShown() {
    // Both ways in turn, so that no metric has a difference.
    let results = SyntheticExperiment(change: { run, arm in
      for metric in Metric.allCases where run.values[metric] != nil {
        run.values[metric] = (arm == "h3") == run.repetition.isMultiple(of: 2) ? 10 : 20
      }
    }).results()
    let document = ParsedMarkup(HTMLReport(results).source)
    let cells = document.named("td").map(\.text)
    #expect(cells.count { $0 == "no difference shown" } == 6)
    #expect(!cells.contains { $0.contains("better by") })
    let notes = document.named("p").map(\.text)
    #expect(
      notes.count { $0 == "No difference shown in: share of stream time in stalls over 200\u{A0}ms." } == 2)
  }

  @Test("tells what an arm does not support from what was not measured")
  func saysNotSupported() throws {
    let results = SyntheticExperiment().results()
    let table = try #require(ReportTables(results: results, names: ArmNames(results.arms)).firstEvent)
    let column = try #require(table.columns.firstIndex { $0.heading == "0-RTT" })
    #expect(table.rows.map { $0[column].text } == ["–", "not supported", "not supported"])
  }

  /// A parser's reading of a text that was escaped.
  private func shown(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars { shown.unicodeScalars.append(XMLText.isAllowed(scalar) ? scalar : "\u{FFFD}") }
    return shown
  }
}
