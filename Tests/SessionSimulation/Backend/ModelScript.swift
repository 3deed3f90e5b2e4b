import EventLedger
import ReferenceBackend
import ResolveKitCore

/// The language model: it says what the schedule says, whichever process asks it.
struct ModelScript {
  /// A piece of what it says, after so many milliseconds.
  enum Step {
    case output(ModelOutput, after: Int)
    case breakdown
  }

  private let schedule: SessionSchedule

  init(_ schedule: SessionSchedule) { self.schedule = schedule }

  /// The words of a message.
  static func text(of message: Int) -> String { "message \(message) ü" }

  private static func message(in text: String) -> Int? {
    let words = text.split(separator: " ")
    return words.count > 1 ? Int(words[1]) : nil
  }

  /// The app's tools as the backend knows them.
  static let functions = TurnPlan.Tool.allCases.filter { $0 != .missing }.map { tool in
    FunctionRecord(
      id: tool.rawValue, name: tool.rawValue, description: "", parametersSchema: [:], isActive: true,
      timeoutSeconds: tool.timeout, availability: [:], source: "app_inline", packName: nil,
      requiresApproval: tool.asks, created: WallTime(microseconds: 0))
  }

  /// The part of the answer that comes next in a conversation.
  func reply(to conversation: ModelConversation) -> [Step] {
    var text = ""
    var rounds = 0
    for message in conversation.messages {
      switch message {
      case .user(let words): (text, rounds) = (words, 0)
      case .assistant(_, let calls): if !calls.isEmpty { rounds += 1 }
      case .toolResult: break
      }
    }
    guard let number = Self.message(in: text), let plan = schedule.plan(number), plan.parts.indices.contains(rounds)
    else { return [] }
    let part = plan.parts[rounds]
    var steps = part.pieces.map { Step.output(.text($0), after: part.pace) }
    if part.fails { return steps + [.breakdown] }
    guard !part.calls.isEmpty else { return steps }
    let first = plan.parts[..<rounds].reduce(0) { $0 + $1.calls.count }
    let calls = part.calls.enumerated().map { index, call in
      ModelToolCall(
        id: "call-\(number)-\(call.repeatsID ? 0 : first + index)", name: call.tool.rawValue,
        arguments: ["message": .number(Double(number)), "call": .number(Double(first + index))])
    }
    steps.append(.output(.toolCalls(calls), after: part.pace))
    return steps
  }
}
