import ResolveKitCore

/// The person in front of the client: writes, decides, stops, tries again.
final class Person {
  private let agenda: Agenda
  private let schedule: SessionSchedule
  private let device: () -> ClientProcess?
  private var requests = 0
  /// Messages that the client has not taken yet.
  private(set) var unsaid: [Int] = []
  private var isSpeaking = false

  init(on agenda: Agenda, _ schedule: SessionSchedule, device: @escaping () -> ClientProcess?) {
    self.agenda = agenda
    self.schedule = schedule
    self.device = device
  }

  func say(_ message: Int) {
    unsaid.append(message)
    speak()
  }

  /// Says what is to be said, once the client takes it.
  private func speak() {
    guard !isSpeaking, !unsaid.isEmpty else { return }
    isSpeaking = true
    tryToSpeak()
  }

  private func tryToSpeak() {
    guard let message = unsaid.first else { return isSpeaking = false }
    if let client = device(), !client.life.isPaused {
      let text = ModelScript.text(of: message)
      // A client that has failed is started again.
      if client.machine.refusal(of: text) == .notConnected { client.startAgain() }
      if client.machine.refusal(of: text) == nil {
        unsaid.removeFirst()
        client.send(OutgoingMessage(requestID: newID(), text: text))
      }
    }
    agenda.after(milliseconds: 1_000) { self.tryToSpeak() }
  }

  private func newID() -> String {
    requests += 1
    return "request-\(requests)"
  }

  func retry() {
    guard let client = device(), !client.life.isPaused else { return }
    client.startAgain()
    client.retry(newID: newID)
  }

  func cancelTurn() {
    guard let client = device(), !client.life.isPaused else { return }
    client.cancelTurn()
  }

  /// Is asked about calls; answers each as the schedule says, or all of them at once where that is one word.
  func answer(_ question: ResolveKitApprovalRequest, in client: ClientProcess) {
    let plans = question.calls.map { (id: $0.callID, plan: ClientTools.plan($0.arguments, in: schedule)) }
    if let first = plans.first, plans.allSatisfy({ $0.plan?.decision == first.plan?.decision }) {
      return decide(first.plan, on: question, only: nil, in: client)
    }
    for (id, plan) in plans { decide(plan, on: question, only: [id], in: client) }
  }

  private func decide(
    _ plan: TurnPlan.Call?, on question: ResolveKitApprovalRequest, only: [String]?, in client: ClientProcess
  ) {
    let decision: ApprovalDecision
    switch plan?.decision {
    case .approve: decision = .approveOnce
    case .approveForSession: decision = .approveForSession
    case .deny: decision = .deny
    case nil: return
    }
    client.life.after(milliseconds: plan?.hesitation ?? 0) { [weak client] in
      client?.decide(decision, on: question, only: only)
    }
  }
}
