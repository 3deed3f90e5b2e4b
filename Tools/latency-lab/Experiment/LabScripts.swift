import Foundation
import ToolSupport

/// The lab's scripts, in the checkout that this program was built in.
enum LabScripts {
  /// The path of a file under `Tools/latency-lab`.
  static func path(of name: String) throws(LabError) -> String {
    let file = "Tools/latency-lab/\(name)"
    guard let root = Checkout.root(with: file) else {
      throw LabError(
        .unavailable, "\(file) was not found; run latency-lab from the package's folder, where it was built.")
    }
    return root.appendingPathComponent(file).path
  }
}
