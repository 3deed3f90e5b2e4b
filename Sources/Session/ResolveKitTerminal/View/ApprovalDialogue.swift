import ResolveKitCore
import ResolveKitUI

/// The question about tool calls that is open at the terminal, one at a time, and a person's answer.
@MainActor
final class ApprovalDialogue {
  private let runtime: ResolveKitRuntime
  private let screen: TerminalScreen
  private var question: Task<Void, Never>?

  init(runtime: ResolveKitRuntime, screen: TerminalScreen) {
    self.runtime = runtime
    self.screen = screen
  }

  /// Asks beside the conversation, in the place of an earlier question. The answer counts for this question alone.
  func ask(about request: ResolveKitApprovalRequest) {
    withdraw()
    let asked = ApprovalQuestion(request.calls, columns: screen.columns)
    screen.write(.status(asked.text()))
    question = Task {
      while !Task.isCancelled {
        let answer = await screen.input.line(LinePrompt(asked.prompt, for: .decision))
        switch answer {
        case .overtaken, .interrupted, .dropped: return
        case .end where Task.isCancelled: return
        case .end: return report(await runtime.declineToolCalls(of: request))
        // Also where the question was withdrawn meanwhile: the person learns that the answer does not count.
        case .line(let line):
          switch TypedApproval(typed: line) {
          case .once?: return report(await runtime.approveToolCalls(of: request, for: .once))
          case .session?: return report(await runtime.approveToolCalls(of: request, for: .session))
          case .always?: return report(await runtime.approveToolCalls(of: request, for: .always))
          case .no?: return report(await runtime.declineToolCalls(of: request))
          case .never?: return report(await runtime.declineToolCalls(of: request, always: true))
          case .view?: screen.write(.status(asked.text(isWhole: true)))
          case nil: continue
          }
        }
      }
    }
  }

  /// Takes the open question back, if there is one.
  func withdraw() {
    guard let question else { return }
    self.question = nil
    question.cancel()
    screen.input.withdraw()
  }

  /// Reports an answer without effect; where there is another question, it comes by itself.
  private func report(_ outcome: ResolveKitDecisionOutcome) {
    if case .refused(let refusal) = outcome { screen.note("\(refusal)") }
  }
}
