import Foundation
import ResolveKitAuthoring
import ResolveKitUI
import Testing

/// The documentation's tools and configurations, from the model's call over the wire to the model's answer.
@Suite(.timeLimit(.minutes(10)))
@MainActor
struct SampleConversationTests {
  private func start(
    _ configuration: ResolveKitConfiguration, at backend: SampleBackend
  ) async throws -> ResolveKitRuntime {
    let runtime = ResolveKitRuntime(configuration: backend.reached(by: configuration))
    try await runtime.start()
    return runtime
  }

  @Test func everySampleToolAnswersTheModel() async throws {
    let backend = try await SampleBackend.open()
    var configuration = ResolveKitConfiguration(
      apiKeyProvider: { nil }, functions: [GetLocalTime.self, SendMessage.self, SetLights.self, ReturnVoid.self])
    configuration.reusesActiveSession = false
    let runtime = try await start(configuration, at: backend)

    let time = await SampleBackend.say("What time is it?", to: runtime)
    #expect(time.completed == ["get_local_time"] && time.asked.isEmpty)
    #expect(time.text.contains("the local time is 2"))
    let message = await SampleBackend.say(
      #"call send_message {"contactName":"Ona","messageText":"hi","urgent":"true"}"#, to: runtime)
    #expect(message.completed == ["send_message"] && message.asked == ["send_message"])
    #expect(message.text.contains("send_message answered: true"))
    let lights = await SampleBackend.say(#"call set_lights {"room":"kitchen","on":true}"#, to: runtime)
    #expect(lights.asked == ["set_lights"])
    #expect(lights.text.contains("Set kitchen lights to 100%"))
    let nothing = await SampleBackend.say("call return_void", to: runtime)
    #expect(nothing.text.contains("return_void answered: null"))

    await runtime.finish()
    await backend.close()
  }

  @Test func thePackOfAnotherPlatformIsLeftOutWithAWarning() async throws {
    let backend = try await SampleBackend.open()
    let runtime = try await start(Configurations.everyParameter(), at: backend)
    let warnings = runtime.executionLog.filter { $0.hasPrefix("warning:") }
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("commerce_pack") == true && warnings.first?.contains("ios, macos") == true)
    let turn = await SampleBackend.say("hello", to: runtime)
    #expect(turn.text.contains("get_local_time") && turn.text.contains("get_weather"))
    #expect(!turn.text.contains("get_subscription_status"))
    await runtime.finish()
    await backend.close()
  }

  @Test func aHostThatActsAsAnotherPlatformHasItsPacks() async throws {
    let backend = try await SampleBackend.open()
    var configuration = Configurations.everyParameter()
    configuration.platform = .ios
    let runtime = try await start(configuration, at: backend)
    #expect(!runtime.executionLog.contains { $0.hasPrefix("warning:") })
    let turn = await SampleBackend.say("call get_subscription_status", to: runtime)
    #expect(turn.completed == ["get_subscription_status"])
    #expect(turn.text.contains("basic"))
    // The session's allow-list leaves this one out.
    let other = await SampleBackend.say("call upgrade_subscription", to: runtime)
    #expect(other.completed.isEmpty && other.asked.isEmpty)
    await runtime.finish()
    await backend.close()
  }

  @Test func theConfigurationKeepsWhatItIsGiven() {
    let configuration = Configurations.everyParameter()
    #expect(configuration.baseURL.absoluteString == "https://your-backend.example.com")
    #expect(configuration.apiKeyProvider() == "rk_from_the_keychain")
    #expect(configuration.deviceIDProvider() == configuration.deviceIDProvider())
    #expect(configuration.llmContextProvider()["location"]?.objectValue?["lat"] == 54.6872)
    #expect(configuration.availableFunctionNamesProvider?() == allFunctionNames)
    #expect(configuration.localeProvider() == nil)
    #expect(configuration.preferredLocalesProvider?() == ["lt", "en"])
    #expect(configuration.functions.map { $0.resolveKitName } == ["set_lights", "get_weather", "get_local_time"])
    #expect(configuration.functionPacks.map { $0.packName } == ["commerce_pack"])
    #expect(configuration.platform == .current)
  }

  @Test func theQuickStartsRuntimeWaitsToBeStarted() {
    let runtime = Configurations.quickStart()
    #expect(runtime.connectionState == .idle && runtime.messages.isEmpty && !runtime.isTurnInProgress)
    #expect(runtime.configuration.baseURL == ResolveKitDefaults.baseURL)
  }

  @Test func twoFunctionsWithOneNameFailTheStart() async throws {
    enum Second: ResolveKitFunctionPack {
      static let packName = "second"
      static let supportedPlatforms: [ResolveKitPlatform] = [.linux]
      static let functions: [any AnyResolveKitFunction.Type] = [SetLights.self]
    }
    let runtime = ResolveKitRuntime(
      configuration: ResolveKitConfiguration(
        apiKeyProvider: { "rk" }, functions: [SetLights.self], functionPacks: [Second.self]))
    let error = await #expect(throws: ResolveKitFunctionError.self) { try await runtime.start() }
    let expected = """
      Duplicate function name: set_lights (ResolveKitIntegrationTests.SetLights of the configuration's functions and \
      ResolveKitIntegrationTests.SetLights of the pack 'second'). Give each function a name of its own.
      """
    #expect(error?.description == expected)
    #expect(runtime.connectionState == .failed)
    #expect(runtime.lastError?.contains("set_lights") == true)
  }
}
