import Foundation

/// `index.html`: the matrix and, below it, what each cell rests on, in one file without anything from elsewhere.
struct ResultPage {
  /// Links of one cell; a case of fifty connections has a hundred qlogs.
  static let mostLinks = 24

  var results: Results
  /// The files under a cell's folder, by that folder.
  var files: [String: [String]]

  func html() -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><title>Interoperability</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <style>\(Self.style)</style></head><body>
    <h1>Interoperability</h1>
    <p>\(HTML.escaped(headline))</p>
    <h2>Matrix</h2>\n\(matrix())
    <p class="legend"><span class="succeeded">✓</span> succeeded
    <span class="unsupported">?</span> not supported, or not to be judged <span class="failed">✕</span> failed.
    A letter leads to what it rests on.</p>
    <h2>Cases</h2>\n\(cases())
    <h2>Peers</h2>\n\(peers())
    <h2>Cells</h2>\n\(cells())
    <p>\(HTML.escaped(results.environment.joined(separator: " · ")))</p>
    </body></html>

    """
  }

  private var headline: String {
    var text = results.counts + " in \(Int((results.end - results.start).rounded())) s, begun "
    text += ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: results.start))
    if results.notRun > 0 { text += "; \(results.notRun) runs were left out" }
    return text + "."
  }

  // MARK: Tables

  private func matrix() -> String {
    var text = "<table><tr><th>client ╲ server</th>"
    for server in results.servers { text += "<th>\(HTML.escaped(server.name))</th>" }
    text += "</tr>\n"
    for client in results.clients {
      text += "<tr><th>\(HTML.escaped(client.name))</th>"
      for server in results.servers { text += "<td>\(matrixCell(client, server))</td>" }
      text += "</tr>\n"
    }
    return text + "</table>"
  }

  private func matrixCell(_ client: Peer, _ server: Peer) -> String {
    var lines: [String] = []
    for verdict in Verdict.allCases {
      let letters = results.tests.filter { results.summary(client, server, $0)?.verdict == verdict }
      guard !letters.isEmpty else { continue }
      let links = letters.map { test in
        "<a class=\"\(verdict.rawValue)\" href=\"#\(anchor(client, server, test))\">\(HTML.escaped(test.abbreviation))</a>"
      }
      lines.append(verdict.symbol + " " + links.joined(separator: " "))
    }
    for measurement in results.measurements {
      guard let summary = results.summary(client, server, measurement) else { continue }
      let said = summary.verdict == .succeeded ? summary.details : summary.verdict.symbol
      lines.append(
        "<a class=\"\(summary.verdict.rawValue)\" href=\"#\(anchor(client, server, measurement))\">"
          + "\(HTML.escaped(measurement.abbreviation)): \(HTML.escaped(said))</a>")
    }
    return lines.joined(separator: "<br>")
  }

  private func cases() -> String {
    "<table>"
      + results.cases.map { testCase in
        "<tr><th>\(HTML.escaped(testCase.abbreviation))</th><td>\(HTML.escaped(testCase.name))</td>"
          + "<td>\(HTML.escaped(testCase.about))</td></tr>\n"
      }.joined() + "</table>"
  }

  private func peers() -> String {
    var text = "<table><tr><th>name</th><th>version</th><th>stack</th><th>speaks</th><th>role</th></tr>\n"
    for (role, list) in [("client", results.clients), ("server", results.servers)] {
      for peer in list {
        let facts = [peer.name, peer.version, peer.stack, peer.isOurs ? "hq, h3" : peer.protocol.rawValue, role]
        text += "<tr>" + facts.map { "<td>\(HTML.escaped($0))</td>" }.joined() + "</tr>\n"
      }
    }
    for peer in results.skipped {
      text += "<tr><td>\(HTML.escaped(peer.name))</td><td colspan=\"3\">skipped: \(HTML.escaped(peer.reason))</td>"
      text += "<td>\(peer.role.rawValue)</td></tr>\n"
    }
    return text + "</table>"
  }

  private func cells() -> String {
    var text = "<table><tr><th>client</th><th>server</th><th>case</th><th></th><th>s</th><th>why, and files</th></tr>\n"
    for client in results.clients {
      for server in results.servers {
        for testCase in results.cases {
          guard let summary = results.summary(client, server, testCase) else { continue }
          text += "<tr id=\"\(anchor(client, server, testCase))\"><td>\(HTML.escaped(client.name))</td>"
          text += "<td>\(HTML.escaped(server.name))</td><td>\(HTML.escaped(testCase.abbreviation))</td>"
          text += "<td class=\"\(summary.verdict.rawValue)\">\(summary.verdict.symbol)</td>"
          text += "<td>\((summary.seconds * 10).rounded() / 10)</td><td>"
          let words = summary.reasons + [summary.explanation ?? "", summary.details]
          text += HTML.escaped(words.filter { !$0.isEmpty }.joined(separator: " "))
          text += " " + links(Results.folder(client, server, testCase)) + "</td></tr>\n"
        }
      }
    }
    return text + "</table>"
  }

  private func links(_ folder: String) -> String {
    let names = files[folder] ?? []
    var links = names.prefix(Self.mostLinks).map { HTML.link("\(folder)/\($0)", $0) }
    if names.count > Self.mostLinks {
      links.append(HTML.link(folder + "/", "and \(names.count - Self.mostLinks) more"))
    }
    return links.joined(separator: " · ")
  }

  private func anchor(_ client: Peer, _ server: Peer, _ testCase: InteropCase) -> String {
    HTML.escaped("\(client.name)_\(server.name)_\(testCase.name)")
  }

  private static let style = """
    body{font:14px/1.5 system-ui,sans-serif;margin:2em auto;max-width:90em;padding:0 1em;color:#222;background:#fff}
    table{border-collapse:collapse}th,td{border:1px solid #ccc;padding:.25em .5em;text-align:left;vertical-align:top}
    th{background:#f4f4f4}a{color:inherit}.succeeded{color:#176b2c}.failed{color:#b3151f;font-weight:bold}
    .unsupported{color:#6b6b6b}tr:target{background:#fff6cc}.legend span{margin-left:1em}
    @media(prefers-color-scheme:dark){body{background:#151515;color:#ddd}th{background:#262626}th,td{border-color:#444}
    .succeeded{color:#7ccf8f}.failed{color:#ff8a8a}.unsupported{color:#999}tr:target{background:#3a3416}}
    """
}
