/// A connection id that came into use or went out of it.
enum ConnectionIDChange {
  case added(ConnectionID)
  case removed(ConnectionID)
}
