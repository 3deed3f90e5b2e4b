import Foundation
import ResolveKitAuthoring

@ResolveKit(
  name: "rename_mascot", description: "Gives the app's mascot another name.", timeout: 5, requiresApproval: false)
struct RenameMascot: ResolveKitFunction {
  /// - Parameter name: 1 to 60 characters.
  func perform(name: String) async throws -> ShowcaseState {
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !name.isEmpty, name.count <= ShowcaseState.mascotLimit else {
      throw ResolveKitFunctionError.invalidArguments("A name has 1 to \(ShowcaseState.mascotLimit) characters.")
    }
    return await Showcase.shared.update { $0.mascot = name }
  }
}
