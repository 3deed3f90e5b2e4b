package import ResolveKitCore

/// Answers to the model's questions, by the questions' ids.
package struct AppServerUserInputReply: AppServerReply {
  package var answers: [String: [String]]

  package init(_ answers: [String: [String]]) { self.answers = answers }

  package var result: JSONValue {
    ["answers": .object(answers.mapValues { ["answers": .array($0.map { .string($0) })] })]
  }
}
