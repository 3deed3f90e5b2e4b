import Foundation
import ToolSupport

/// The places of this program's scripts and neighbours.
struct RunnerPlaces: Sendable {
  var root: String
  /// The folder of the built programs.
  var programs: String

  var peers: String { root + "/Interop/peers" }
  var enclosure: String { root + "/Interop/Runner/enclosure" }
  var certificates: String { root + "/Interop/Runner/certificates" }
  var endpoint: String { programs + "/interop-endpoint" }

  /// Those of the checkout that this program was built in.
  static func find() throws(SelectionError) -> RunnerPlaces {
    guard let programs = Checkout.programs else {
      throw SelectionError("The path of this program can't be read; is /proc mounted?")
    }
    guard let root = Checkout.root(with: "Interop/Runner/enclosure") else {
      throw SelectionError("Interop/Runner was not found above \(programs.path); run it where it was built.")
    }
    return RunnerPlaces(root: root.path, programs: programs.path)
  }
}
