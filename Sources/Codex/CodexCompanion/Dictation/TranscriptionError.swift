/// A failed transcription: a code to branch on, a sentence to show.
package struct TranscriptionError: Error, CustomStringConvertible, Sendable {
  package enum Code: Hashable, Sendable {
    /// The sound is none that can be handed on.
    case invalid
    /// One is transcribed already.
    case busy
    case timedOut
    /// The program failed, or wrote what is no text.
    case failed
  }

  package let code: Code
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
