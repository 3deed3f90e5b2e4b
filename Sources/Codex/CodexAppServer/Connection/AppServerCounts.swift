/// Counts of the messages that a connection ignored, for a gauge or a log.
package struct AppServerCounts: Hashable, Sendable {
  /// Messages that could not be read, and notifications and requests without what they must have.
  package var malformed = 0
  /// Notifications of methods that the schema does not have.
  package var unknownNotifications = 0
  /// Requests that were refused because nobody here could answer them.
  package var refusedRequests = 0
  /// Answers for which there was no open request.
  package var unmatchedAnswers = 0

  package init() {}
}
