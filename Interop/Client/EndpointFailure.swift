/// The reason for which the endpoint ends with 1, in one sentence.
struct EndpointFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
