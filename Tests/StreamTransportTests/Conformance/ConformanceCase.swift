/// The cases that every transport must pass; ``TransportConformanceTests`` runs each on each.
enum ConformanceCase: String, CaseIterable, Sendable {
  case getsABody
  case sendsBytes
  case streamsARequestBody
  case echoesAMebibyte
  case passesMethodAndFields
  case passesStatusWithoutBody
  case deliversInterimResponses
  case refusesAFloodOfInterimResponses
  case deliversTrailers
  case refusesTooLargeTrailers
  case headHasNoBody
  case streamsBothWaysAtOnce
  case deliversBytesAsTheyAreWritten
  case runsManyRequestsAtOnce
  case leavingTheBodyCancels
  case cancellingTheTaskCancels
  case aBrokenOffBodyIsAnError
  case slowReaderHoldsTheServerBack
  case addsARequestID
  case connectIsSharedAndCostsNothingAgain
  case worksAgainAfterClose
  case closeFailsWhatIsInFlight
  case leavingItsScopeFailsWhatIsInFlight
  case refusesConnectionFields
  case refusesABadPath
  case refusesAnotherOrigin
  case aFailingRequestBodyIsAnError
}
