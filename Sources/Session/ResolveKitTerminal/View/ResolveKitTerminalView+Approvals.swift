import ResolveKitCore
import ResolveKitUI

/// Questions about tool calls, and a person's answers.
extension ResolveKitTerminalView {
  /// Asks beside the conversation, in the place of an earlier question. The answer counts for this question alone.
  func ask(about request: ResolveKitApprovalRequest) {
    withdrawQuestion()
    let asked = ApprovalQuestion(request.calls, columns: columns)
    write(.status(asked.text()))
    question = Task {
      while !Task.isCancelled {
        let answer = await input.line(LinePrompt(asked.prompt, for: .decision))
        switch answer {
        case .overtaken, .interrupted, .dropped: return
        case .end where Task.isCancelled: return
        case .end: return tell(await runtime.declineToolCalls(of: request))
        // Also where the question was withdrawn meanwhile: the person learns that the answer does not count.
        case .line(let line):
          switch TypedApproval(typed: line) {
          case .once?: return tell(await runtime.approveToolCalls(of: request, for: .once))
          case .session?: return tell(await runtime.approveToolCalls(of: request, for: .session))
          case .always?: return tell(await runtime.approveToolCalls(of: request, for: .always))
          case .no?: return tell(await runtime.declineToolCalls(of: request))
          case .never?: return tell(await runtime.declineToolCalls(of: request, always: true))
          case .view?: write(.status(asked.text(isWhole: true)))
          case nil: continue
          }
        }
      }
    }
  }

  func withdrawQuestion() {
    guard let question else { return }
    self.question = nil
    question.cancel()
    input.withdraw()
  }

  /// An answer that has no effect is no secret; where there is another question, it comes by itself.
  private func tell(_ outcome: ResolveKitDecisionOutcome) {
    if case .refused(let refusal) = outcome { tell("\(refusal)") }
  }
}
