/// A change in codex's process.
package enum AppServerProcessEvent: Sendable {
  /// It can be spoken with. Its events are to be read from now on.
  /// - Parameter joined: whether it was running already: threads may be in a turn, and are to be resumed.
  case started(AppServerConnection, AppServerGreeting, joined: Bool)
  /// It ended, or could not be started; it is started anew after that time.
  case ended(AppServerError, restartAfter: Duration)
}
