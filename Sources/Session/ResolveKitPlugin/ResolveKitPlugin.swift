import Foundation
import PackagePlugin

/// Generates `ResolveKitAutoRegistry` for the target that uses it: all functions that its sources mark with
/// `@ResolveKit`, found again at each build.
@main
struct ResolveKitPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else {
      Diagnostics.warning("ResolveKitPlugin has nothing to do for \(target.name), which is no Swift target.")
      return []
    }
    // In an order of its own, lest the order in which a file system lists a folder causes a build.
    let sources = target.sourceFiles(withSuffix: "swift").map(\.url).sorted { $0.path < $1.path }
    let registry = context.pluginWorkDirectoryURL.appending(path: "ResolveKitAutoRegistry.swift")
    return [
      .buildCommand(
        displayName: "Registering the ResolveKit functions of \(target.name)",
        executable: try context.tool(named: "ResolveKitCodegen").url,
        arguments: ["--output", registry.path, "--"] + sources.map(\.path),
        inputFiles: sources,
        outputFiles: [registry])
    ]
  }
}
