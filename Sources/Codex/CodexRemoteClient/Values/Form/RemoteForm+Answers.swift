import Foundation
public import ResolveKitCore

extension RemoteForm.Field {
  private static let longestText = 64 << 10

  /// Reads an answer that was typed: a choice by its number in the list or by its words, several with commas between
  /// them. Throws ``RemoteError`` with a sentence that says what is expected.
  public func answer(typed text: String) throws(RemoteError) -> JSONValue {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    let answer: JSONValue
    switch kind {
    case .text: answer = .string(text)
    case .number:
      guard let number = Double(trimmed) else { throw RemoteError(.misuse, "A number is expected.") }
      answer = .number(number)
    case .yesOrNo:
      switch trimmed.lowercased() {
      case "y", "yes", "true": answer = true
      case "n", "no", "false": answer = false
      default: throw RemoteError(.misuse, "y or n is expected.")
      }
    case .choice(let choices): answer = .string(try Self.choice(trimmed, of: choices))
    case .choices(let choices, _, _):
      var values: [JSONValue] = []
      for part in text.split(separator: ",") {
        values.append(.string(try Self.choice(part.trimmingCharacters(in: .whitespaces), of: choices)))
      }
      answer = .array(values)
    }
    try check(answer)
    return answer
  }

  private static func choice(_ text: String, of choices: [RemoteForm.Choice]) throws(RemoteError) -> String {
    if let choice = choices.first(where: { $0.value == text || $0.title == text }) { return choice.value }
    guard let number = Int(text), choices.indices.contains(number &- 1) else {
      throw RemoteError(.misuse, "One of the numbers from 1 to \(choices.count) is expected.")
    }
    return choices[number - 1].value
  }

  /// Whether the answer is one that the field takes. Throws ``RemoteError`` with a sentence that says what is expected.
  public func check(_ answer: JSONValue) throws(RemoteError) {
    switch (kind, answer) {
    case (.text(let format, let minimum, let maximum), .string(let text)):
      let length = text.unicodeScalars.count
      guard text.utf8.count <= Self.longestText, length >= minimum ?? 0, length <= maximum ?? .max else {
        throw wrong("a text of \(minimum ?? 0) to \(maximum ?? Self.longestText) characters")
      }
      guard RemoteFormFormat.isMatched(format, by: text) else { throw wrong("a text in the format '\(format ?? "")'") }
    case (.number(let isInteger, let minimum, let maximum), .number(let number)):
      let isWhole = number.rounded() == number && abs(number) <= 0x1p53
      guard number.isFinite, !isInteger || isWhole else { throw wrong(isInteger ? "a whole number" : "a number") }
      guard number >= minimum ?? -.infinity, number <= maximum ?? .infinity else {
        throw wrong("a number" + (minimum.map { " from \($0)" } ?? "") + (maximum.map { " up to \($0)" } ?? ""))
      }
    case (.yesOrNo, .bool): return
    case (.choice(let choices), .string(let value)):
      guard choices.contains(where: { $0.value == value }) else { throw wrong("one of the choices") }
    case (.choices(let choices, let minimum, let maximum), .array(let values)):
      let isChoice = { (value: JSONValue) in choices.contains { .string($0.value) == value } }
      guard values.count <= choices.count, values.allSatisfy(isChoice), Set(values).count == values.count else {
        throw wrong("some of the choices, each once")
      }
      guard values.count >= minimum ?? 0, values.count <= maximum ?? .max else {
        throw wrong("\(minimum ?? 0) to \(maximum ?? choices.count) of the choices")
      }
    case (.text, _): throw wrong("a text")
    case (.number, _): throw wrong("a number")
    case (.yesOrNo, _): throw wrong("yes or no")
    case (.choice, _): throw wrong("one of the choices")
    case (.choices, _): throw wrong("a list of choices")
    }
  }

  private func wrong(_ expected: String) -> RemoteError {
    RemoteError(.misuse, "'\(title)' takes \(expected).")
  }
}
