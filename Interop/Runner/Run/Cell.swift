/// One run: a client against a server in a case, the nth time.
struct Cell: Hashable, Sendable {
  /// The position of its outcomes in the matrix.
  struct Place: Hashable, Sendable {
    var client: String
    var server: String
    var testCase: String
  }

  var pair: PeerSelection.Pair
  var testCase: InteropCase
  /// From 1 on.
  var repetition: Int
  var repetitions: Int

  var place: Place { Place(client: pair.client.name, server: pair.server.name, testCase: testCase.name) }

  /// Within the folder of results, as the public runner has it.
  var folder: String {
    "\(pair.name)/\(testCase.name)" + (repetitions > 1 ? "/\(repetition)" : "")
  }

  static func == (a: Cell, b: Cell) -> Bool { a.place == b.place && a.repetition == b.repetition }

  func hash(into hasher: inout Hasher) {
    hasher.combine(place)
    hasher.combine(repetition)
  }

  /// All runs of a selection: pair by pair, and within a pair the longest first, so that they overlap the others.
  static func all(_ pairs: [PeerSelection.Pair], _ cases: [InteropCase], repeated: Int) -> [Cell] {
    pairs.flatMap { pair in
      cases.sorted { $0.usualSeconds > $1.usualSeconds }.flatMap { testCase in
        let repetitions = testCase.repetitions * repeated
        return (1...max(repetitions, 1)).map {
          Cell(pair: pair, testCase: testCase, repetition: $0, repetitions: repetitions)
        }
      }
    }
  }
}
