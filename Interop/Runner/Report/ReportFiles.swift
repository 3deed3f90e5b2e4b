import Foundation

/// Writes `result.json` and `index.html`.
enum ReportFiles {
  static func write(_ results: Results, to folder: String) throws {
    try ResultDocument(results).json().write(to: URL(fileURLWithPath: folder + "/result.json"))
    var files: [String: [String]] = [:]
    for client in results.clients {
      for server in results.servers {
        for testCase in results.cases {
          let cell = Results.folder(client, server, testCase)
          files[cell] = Self.files(under: "\(folder)/\(cell)")
        }
      }
    }
    let page = ResultPage(results: results, files: files).html()
    try Data(page.utf8).write(to: URL(fileURLWithPath: folder + "/index.html"))
  }

  /// Relative names; captures and logs before the qlogs.
  private static func files(under folder: String) -> [String] {
    let manager = FileManager.default
    let names = ((try? manager.subpathsOfDirectory(atPath: folder)) ?? []).filter { name in
      var isFolder: ObjCBool = false
      return manager.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder) && !isFolder.boolValue
    }
    return names.sorted { ($0.contains("qlog") ? 1 : 0, $0) < ($1.contains("qlog") ? 1 : 0, $1) }
  }
}
