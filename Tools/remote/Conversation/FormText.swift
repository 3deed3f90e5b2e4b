import CodexRemoteClient
import ResolveKitCore
import TerminalIO

/// A form's fields and answers as a person reads them; what could not be seen, or would steer the terminal, is an escape.
enum FormText {
  /// Characters of a server's own words.
  private static let longestWords = 500

  /// The field's name, and whether it has to be answered.
  static func title(_ field: RemoteForm.Field) -> String {
    words(field.title) + (field.title == field.name ? "" : " (\(words(field.name)))")
      + (field.isRequired ? "" : ", optional")
  }

  /// The question, line by line: the server's words, the choices with their numbers, what is expected.
  static func question(_ field: RemoteForm.Field) -> String {
    var lines = ["\(title(field)): \(expectation(field))"]
    if let about = field.about { lines.append("  \(words(about))") }
    for (index, choice) in choices(field).enumerated() {
      let value = choice.value == choice.title ? "" : " (\(words(choice.value)))"
      lines.append("  \(index + 1) \(words(choice.title))\(value)")
    }
    if let preset = field.preset { lines.append("  Enter alone: \(preset.visibleText)") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The answer to be sent, line by line.
  static func summary(_ content: JSONObject, of form: RemoteForm) -> String {
    let answered = form.fields.compactMap { field in content[field.name].map { (field, $0) } }
    guard !answered.isEmpty else { return "nothing is answered\n" }
    return answered.map { field, answer in "  \(words(field.title)): \(answer.visibleText)\n" }.joined()
  }

  private static func choices(_ field: RemoteForm.Field) -> [RemoteForm.Choice] {
    switch field.kind {
    case .choice(let choices), .choices(let choices, _, _): choices
    case .text, .number, .yesOrNo: []
    }
  }

  private static func expectation(_ field: RemoteForm.Field) -> String {
    switch field.kind {
    case .text(let format?, _, _): "a text, \(words(format))"
    case .text(nil, _, _): "a text"
    case .number(true, _, _): "a whole number"
    case .number(false, _, _): "a number"
    case .yesOrNo: "y or n"
    case .choice: "one of these, by its number"
    case .choices: "some of these, by their numbers with commas between them"
    }
  }

  private static func words(_ text: String) -> String {
    (text.count > longestWords ? text.prefix(longestWords) + "…" : text).visible
  }
}
