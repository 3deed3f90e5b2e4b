import ResolveKitAuthoring

@ResolveKit(
  name: "show_state", description: "Returns the app's vibe, mascot, confetti and laser.", timeout: 5,
  requiresApproval: false)
struct ShowState: ResolveKitFunction {
  func perform() async throws -> ShowcaseState {
    await Showcase.shared.state
  }
}
