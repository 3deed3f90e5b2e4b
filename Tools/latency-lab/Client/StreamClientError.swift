/// The reason for which a client gave up, in words.
struct StreamClientError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
