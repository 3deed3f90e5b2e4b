/// The matrix for a terminal: a client a row, a server a column, the public runner's letters.
enum MatrixText {
  static func text(_ results: Results) -> String {
    var lines: [String] = []
    for client in results.clients {
      for server in results.servers {
        let cell = Self.cell(results, client, server)
        guard !cell.isEmpty else { continue }
        lines.append("\(client.name) × \(server.name) (\(server.isOurs ? client.version : server.version))")
        lines += cell.map { "  " + $0 }
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// A line for each verdict that was given, and one for the measurements.
  static func cell(_ results: Results, _ client: Peer, _ server: Peer) -> [String] {
    var lines: [String] = []
    for verdict in Verdict.allCases {
      let letters = results.tests.filter { results.summary(client, server, $0)?.verdict == verdict }
      guard !letters.isEmpty else { continue }
      lines.append("\(verdict.symbol)(\(letters.map(\.abbreviation).joined(separator: ",")))")
    }
    for measurement in results.measurements {
      guard let summary = results.summary(client, server, measurement) else { continue }
      let said = summary.verdict == .succeeded ? summary.details : summary.verdict.symbol
      lines.append("\(measurement.abbreviation): \(said)")
    }
    return lines
  }

  /// The measurements of tests beside their verdicts.
  static func details(_ results: Results) -> String {
    var text = ""
    for client in results.clients {
      for server in results.servers {
        for test in results.tests {
          guard let summary = results.summary(client, server, test), !summary.details.isEmpty else { continue }
          text += "\(client.name) × \(server.name) \(test.abbreviation) (\(test.name)): \(summary.details)\n"
        }
      }
    }
    return text
  }

  /// All that is no success, in words.
  static func reasons(_ results: Results) -> String {
    var text = ""
    for client in results.clients {
      for server in results.servers {
        for testCase in results.cases {
          guard let summary = results.summary(client, server, testCase), summary.verdict != .succeeded else { continue }
          text +=
            "\(summary.verdict.symbol) \(client.name) × \(server.name) \(testCase.abbreviation) (\(testCase.name)): "
          text += (summary.reasons + [summary.explanation].compactMap(\.self)).joined(separator: " ") + "\n"
        }
      }
    }
    for peer in results.skipped { text += "skipped: \(peer.name) as \(peer.role.rawValue): \(peer.reason)\n" }
    return text
  }
}
