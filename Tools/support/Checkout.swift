package import Foundation

/// The checkout that this program was built in, where its scripts and neighbours are.
package enum Checkout {
  /// The folder of the built programs; nil where /proc is not mounted.
  package static var programs: URL? {
    Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
  }

  /// The nearest folder that has a file of this relative path, upwards from the program and then from the working folder.
  package static func root(with file: String) -> URL? {
    let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    for start in [programs, here].compactMap(\.self) {
      var folder = start
      for _ in 0..<8 {
        if FileManager.default.fileExists(atPath: folder.appendingPathComponent(file).path) { return folder }
        folder.deleteLastPathComponent()
      }
    }
    return nil
  }
}
