/// Receives a fact, and the session that it is about; nil for all of them.
typealias SessionObserver = (_ fact: Observation, _ session: String?) -> Void
