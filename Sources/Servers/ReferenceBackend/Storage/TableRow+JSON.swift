import EventLedger
import ResolveKitCore

extension TableRow {
  /// JSON text as a value; throws where it is none.
  func json(_ place: Int) throws -> JSONValue { try JSONValue(parsing: text(place) ?? "null") }

  /// The beginning of time where there is none.
  func time(_ place: Int) -> WallTime { WallTime(microseconds: integer(place) ?? 0) }
}
