import CodexRemoteClient
import ResolveKitCore
import TerminalIO

/// Has a person fill in a form, field by field; nothing is sent before all of it was seen once more.
@MainActor
struct FormDialogue {
  enum Outcome: Equatable {
    case content(JSONObject)
    /// The person gives it up for now: the question still waits.
    case givenUp
    /// Nobody waits for it any more.
    case overtaken
    case end
  }

  private let form: RemoteForm
  private let ask: (String) async -> LineAnswer
  private let write: (String) -> Void

  /// - Parameters:
  ///   - ask: shows a prompt and waits for a line.
  ///   - write: shows lines.
  init(_ form: RemoteForm, ask: @escaping (String) async -> LineAnswer, write: @escaping (String) -> Void) {
    self.form = form
    self.ask = ask
    self.write = write
  }

  func run() async -> Outcome {
    var content: JSONObject = [:]
    for field in form.fields {
      write(FormText.question(field))
      switch await answer(field) {
      case .answer(let answer): content[field.name] = answer
      case .over(let outcome): return outcome
      }
    }
    write(FormText.summary(content, of: form))
    while true {
      switch await ask("Send it? y, n: ") {
      case .overtaken: return .overtaken
      case .interrupted, .dropped: return .givenUp
      case .end: return .end
      case .line(let line):
        switch line.trimmed.lowercased() {
        case "y", "yes": return .content(content)
        case "n", "no": return .givenUp
        default: continue
        }
      }
    }
  }

  private enum Step {
    /// nil for one that is left out.
    case answer(JSONValue?)
    case over(Outcome)
  }

  private func answer(_ field: RemoteForm.Field) async -> Step {
    while true {
      switch await ask("answer: ") {
      case .overtaken: return .over(.overtaken)
      case .interrupted, .dropped: return .over(.givenUp)
      case .end: return .over(.end)
      case .line(let line):
        if line.trimmed.isEmpty {
          if let preset = field.preset { return .answer(preset) }
          if !field.isRequired { return .answer(nil) }
          write("[it has to be answered; Ctrl-C gives the form up]\n")
          continue
        }
        do { return .answer(try field.answer(typed: line)) } catch { write("[\(error.message.visible)]\n") }
      }
    }
  }
}
