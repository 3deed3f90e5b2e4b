// swift-format-ignore-file
import Foundation
import ResolveKitUI

// Each sample stands as the documentation prints it, in the place of the argument that it is for; the formatter keeps off.

enum Configurations {
    static func everyParameter() -> ResolveKitConfiguration {
        ResolveKitConfiguration(
            baseURL: URL(string: "https://your-backend.example.com")!,
            apiKeyProvider: { KeychainManager.shared.apiKey },
            deviceIDProvider: {
                if let id = UserDefaults.standard.string(forKey: "device_id") { return id }
                let id = UUID().uuidString
                UserDefaults.standard.set(id, forKey: "device_id")
                return id
            },
            llmContextProvider: {
                [
                    "location": .object([
                        "city": .string("Vilnius"),
                        "country": .string("LT"),
                        "lat": .number(54.6872),
                        "lon": .number(25.2797)
                    ]),
                    "network_type": .string("wifi"),
                    "is_traveling": .bool(false)
                ]
            },
            availableFunctionNamesProvider: { userPlan == .pro ? allFunctionNames : basicFunctionNames },
            localeProvider: { currentUser.preferredLanguage },
            preferredLocalesProvider: { appSettings.preferredLanguages },
            functions: [SetLights.self, GetWeather.self, GetLocalTime.self],
            functionPacks: [CommerceResolveKitPack.self]
        )
    }

    @MainActor
    static func quickStart() -> ResolveKitRuntime {
        let runtime = ResolveKitRuntime(configuration: ResolveKitConfiguration(
            apiKeyProvider: { "rk_your_api_key" },
            functions: [GetLocalTime.self]
        ))
        return runtime
    }
}
