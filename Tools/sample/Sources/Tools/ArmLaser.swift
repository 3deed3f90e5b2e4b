import ResolveKitAuthoring

@ResolveKit(name: "arm_laser", description: "Arms or disarms the laser; a person is asked first.", timeout: 60)
struct ArmLaser: ResolveKitFunction {
  /// - Parameter armed: Whether it is armed afterwards.
  func perform(armed: Bool) async throws -> ShowcaseState {
    await Showcase.shared.update { $0.isLaserArmed = armed }
  }
}
