import Foundation

/// The folder of the lab's scripts: the checkout that this program was built in.
enum Checkout {
  /// The path of a file under `Tools/latency-lab`, found upwards from the program and from the working directory.
  static func file(_ name: String) throws(LabError) -> String {
    let starts = [
      Bundle.main.executableURL?.resolvingSymlinksInPath(),
      URL(fileURLWithPath: FileManager.default.currentDirectoryPath).appendingPathComponent("."),
    ]
    for start in starts.compactMap({ $0 }) {
      var folder = start.deletingLastPathComponent()
      for _ in 0..<8 {
        let candidate = folder.appendingPathComponent("Tools/latency-lab/\(name)").path
        if FileManager.default.fileExists(atPath: candidate) { return candidate }
        folder.deleteLastPathComponent()
      }
    }
    throw LabError(
      .unavailable,
      "Tools/latency-lab/\(name) was not found; run latency-lab from the package's folder, where it was built.")
  }
}
