import ResolveKitCore

// What the samples name and do not show.

final class KeychainManager: Sendable {
  static let shared = KeychainManager()
  let apiKey: String? = "rk_from_the_keychain"
}

enum UserPlan { case basic, pro }

let userPlan = UserPlan.pro
let allFunctionNames = ["set_lights", "get_weather", "get_local_time", "get_subscription_status"]
let basicFunctionNames = ["get_local_time"]

struct User: Sendable { let preferredLanguage: String? }
struct AppSettings: Sendable { let preferredLanguages: [String] }

let currentUser = User(preferredLanguage: nil)
let appSettings = AppSettings(preferredLanguages: ["lt", "en"])

struct GetWeather: AnyResolveKitFunction {
  static let resolveKitName = "get_weather"
  static let resolveKitDescription = "Tells the weather."
  static let resolveKitParametersSchema: JSONObject = ["type": "object", "properties": [:], "required": []]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    .string("sunny")
  }
}

struct GetSubscriptionStatus: AnyResolveKitFunction {
  static let resolveKitName = "get_subscription_status"
  static let resolveKitDescription = "Tells the user's plan."
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = ["type": "object", "properties": [:], "required": []]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    ["plan": "basic", "renews": true]
  }
}

struct UpgradeSubscription: AnyResolveKitFunction {
  static let resolveKitName = "upgrade_subscription"
  static let resolveKitDescription = "Upgrades the user's plan."
  static let resolveKitParametersSchema: JSONObject = ["type": "object", "properties": [:], "required": []]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    .string("upgraded")
  }
}
