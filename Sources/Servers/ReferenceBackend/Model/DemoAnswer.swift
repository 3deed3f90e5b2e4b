import ResolveKitCore

/// The demonstrator's text and calls: a function of the conversation alone.
struct DemoAnswer: Equatable {
  private(set) var text = ""
  private(set) var toolCalls: [ModelToolCall] = []
  private(set) var promptWords = 0

  static let introduction =
    "This is the demonstrator of the reference backend: no language model is running, the words are canned."
  /// The longest story, in words.
  static let longestStory = 20_000

  init(to conversation: ModelConversation) {
    let question = conversation.messages.last { if case .user = $0 { true } else { false } }
    guard case .user(let words) = question else {
      text = Self.introduction
      return
    }
    promptWords = words.split(whereSeparator: \.isWhitespace).count
    let results = Self.results(in: conversation.messages)
    if !results.isEmpty {
      text = Self.report(results)
      return
    }
    toolCalls = DemoToolChoice(words: words, tools: conversation.tools).calls
    if toolCalls.contains(where: { $0.name == ModelEscalation.toolName }) {
      text = "I ask a person to take over.\n\n"
    } else if !toolCalls.isEmpty {
      text = "Let me ask your device: \(toolCalls.map(\.name).joined(separator: ", ")).\n\n"
    } else if let count = Self.storyLength(words) {
      text = Self.story(words: count)
    } else {
      text = Self.quote(words, tools: conversation.tools)
    }
  }

  /// Results that came after the last question.
  private static func results(in messages: [ModelMessage]) -> [(name: String, content: String)] {
    var results: [(name: String, content: String)] = []
    for message in messages {
      switch message {
      case .user: results = []
      case .assistant: continue
      case .toolResult(_, let name, let content): results.append((name, content))
      }
    }
    return results
  }

  private static func report(_ results: [(name: String, content: String)]) -> String {
    let lines = results.map { result in
      switch result.name {
      case "get_local_time": "Your device says that the local time is \(result.content)."
      case "get_system_info": "Your device describes itself as: \(result.content)"
      case "list_files": "Your device lists these files: \(result.content)"
      default: "The tool \(result.name) answered: \(result.content)"
      }
    }
    return lines.joined(separator: "\n") + "\n\n" + introduction
  }

  private static func quote(_ words: String, tools: [ModelTool]) -> String {
    let tools = tools.filter { $0.name != ModelEscalation.toolName }
    let offer =
      tools.isEmpty
      ? "Your program offers no tools."
      : "Your program offers these tools: \(tools.map(\.name).joined(separator: ", "))."
    return """
      \(introduction)

      You wrote: “\(words)”

      \(offer) Ask for the time, the system or your files to see one run, or for a story of 200 words to see a long \
      answer stream.
      """
  }

  /// The number before `words` in a request for a story; nil where none is asked for.
  private static func storyLength(_ text: String) -> Int? {
    let words = text.lowercased().split { !($0.isLetter || $0.isNumber) }
    guard words.contains("story") else { return nil }
    let numbers = words.compactMap { Int($0) }
    return min(max(1, numbers.first ?? 120), longestStory)
  }

  /// Exactly `count` words, each numbered sentence different from the last, so that a loss or a repetition shows.
  private static func story(words count: Int) -> String {
    let vocabulary = [
      "a", "small", "packet", "left", "home", "and", "crossed", "seven", "lossy", "links", "in", "time",
    ]
    var words: [String] = []
    var sentence = 0
    while words.count < count {
      sentence += 1
      words.append("\(sentence).")
      words += vocabulary
    }
    return words.prefix(count).joined(separator: " ")
  }
}
