import Foundation
package import ResolveKitNetworking
package import ResolveKitUI
package import StreamTransport
import TestSupport

/// One runtime against one server, from start to the end of one turn.
package struct Conversation {
  package var server: ContractServer
  package var apiKey: String
  package var functions: [any AnyResolveKitFunction.Type]
  package var approvals: ResolveKitApprovalStore
  package var policy: @Sendable (ResolveKitPendingToolCall) -> ResolveKitApprovalDecision
  package var clock: TransportClock
  /// Changes the configuration before the runtime is made.
  package var configure: @Sendable (inout ResolveKitConfiguration) -> Void

  package init(
    server: ContractServer, apiKey: String = "rk_test",
    functions: [any AnyResolveKitFunction.Type] = [CountingTool.self, AskingTool.self, ThrowingTool.self],
    approvals: ResolveKitApprovalStore = ResolveKitApprovalStore(),
    policy: @escaping @Sendable (ResolveKitPendingToolCall) -> ResolveKitApprovalDecision = { _ in .ask },
    clock: TransportClock = TransportClock(InstantClock()),
    configure: @escaping @Sendable (inout ResolveKitConfiguration) -> Void = { _ in }
  ) {
    self.server = server
    self.apiKey = apiKey
    self.functions = functions
    self.approvals = approvals
    self.policy = policy
    self.clock = clock
    self.configure = configure
  }

  @MainActor
  package func runtime() -> ResolveKitRuntime {
    let key = apiKey
    var configuration = ResolveKitConfiguration(
      baseURL: URL(filePath: "/"), apiKeyProvider: { key }, deviceIDProvider: { "device" }, functions: functions,
      transport: .custom(server), approvalPolicy: policy, approvalStore: approvals)
    configuration.clock = clock
    // Beyond what an instant clock sleeps: an answer on its way never races the end of its time.
    configuration.timeouts = ResolveKitAPITimeouts(setUp: .seconds(60), call: .seconds(60), bulk: .seconds(60))
    configure(&configuration)
    return ResolveKitRuntime(configuration: configuration)
  }

  /// All updates up to the turn's end.
  @MainActor
  package func updates(
    of text: String, onUpdate: @MainActor (ResolveKitRuntime, ResolveKitRuntimeUpdate) async -> Void = { _, _ in }
  ) async throws -> [ResolveKitRuntimeUpdate] {
    let runtime = runtime()
    let updates = runtime.updates()
    try await runtime.start()
    await runtime.sendMessage(text)
    var seen: [ResolveKitRuntimeUpdate] = []
    for await update in updates {
      seen.append(update)
      await onUpdate(runtime, update)
      if case .turn = update { break }
    }
    await runtime.stop()
    return seen
  }
}

extension [ResolveKitRuntimeUpdate] {
  package var finishedTurn: ResolveKitFinishedTurn? {
    compactMap { if case .turn(let turn) = $0 { turn } else { nil } }.last
  }

  package var eventIDs: [String] {
    compactMap { if case .event(let event) = $0 { event.eventID } else { nil } }
  }

  /// The text as a reader of the updates has it.
  package var shownText: String {
    reduce(into: "") { text, update in
      switch update {
      case .text(_, let appended): text += appended
      case .textCorrected(_, let corrected): text = corrected
      default: break
      }
    }
  }
}
