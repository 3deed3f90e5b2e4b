// swift-format-ignore-file
import ResolveKitUI

let runtime = ResolveKitRuntime(configuration: ResolveKitConfiguration(
    apiKeyProvider: { "rk_your_api_key" },
    functions: [GetLocalTime.self]
))

print("quick start: \(runtime.connectionState.rawValue)")
print("registry: \(ResolveKitAutoRegistry.functions.map { $0.resolveKitName }.joined(separator: " "))")
try await SampleConversation.hold()
