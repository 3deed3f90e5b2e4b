import ResolveKitAuthoring

@ResolveKit(
  name: "set_vibe", description: "Sets the app's vibe, which its accent colour follows.", timeout: 5,
  requiresApproval: false)
struct SetVibe: ResolveKitFunction {
  /// - Parameter vibe: The new vibe.
  func perform(vibe: Vibe) async throws -> ShowcaseState {
    await Showcase.shared.update { $0.vibe = vibe }
  }
}
