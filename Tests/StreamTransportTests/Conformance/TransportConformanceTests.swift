import HTTPTypes
import StreamTransport
import Testing

/// One after the other: a machine that is busy with all at once answers none of them in time.
@Suite(.serialized) struct TransportConformanceTests {
  static let subjects: [any ConformanceSubject] = [
    HTTP1Subject(isSecure: true), HTTP1Subject(isSecure: false), HTTP3Subject(),
    RacingSubject(winner: .http3), RacingSubject(winner: .http1),
  ]

  @Test(.timeLimit(.minutes(10)), arguments: ConformanceCase.allCases, subjects.indices)
  func conforms(_ check: ConformanceCase, _ index: Int) async throws {
    let subject = Self.subjects[index]
    do {
      try await ConformanceChecks(subject: subject).run(check)
    } catch {
      Issue.record("\(subject.name): \(check.rawValue): \(error)")
    }
  }
}

/// A condition that did not hold.
struct ConformanceFailure: Error, CustomStringConvertible {
  let description: String
}

func require(_ condition: Bool, _ words: @autoclosure () -> String) throws(ConformanceFailure) {
  guard condition else { throw ConformanceFailure(description: words()) }
}
