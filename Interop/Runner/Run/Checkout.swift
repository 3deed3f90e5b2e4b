import Foundation

/// The folder of this program's scripts and neighbours: the checkout that it was built in.
struct Checkout: Sendable {
  var root: String
  /// The folder of the built programs.
  var programs: String

  var peers: String { root + "/Interop/peers" }
  var enclosure: String { root + "/Interop/Runner/enclosure" }
  var certificates: String { root + "/Interop/Runner/certificates" }
  var endpoint: String { programs + "/interop-endpoint" }

  /// Upwards from the program.
  static func find() throws(SelectionError) -> Checkout {
    guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath() else {
      throw SelectionError("The path of this program can't be read; is /proc mounted?")
    }
    let programs = program.deletingLastPathComponent()
    var folder = programs
    for _ in 0..<8 {
      if FileManager.default.fileExists(atPath: folder.path + "/Interop/Runner/enclosure") {
        return Checkout(root: folder.path, programs: programs.path)
      }
      folder.deleteLastPathComponent()
    }
    throw SelectionError("Interop/Runner was not found above \(programs.path); run it where it was built.")
  }
}
