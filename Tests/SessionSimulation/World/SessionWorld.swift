import EventLedger
import LedgerModel
import LinkModel
import ResolveKitCore

/// The whole world of one run: clients with a session each, a network, backends, a database, and the time that they share.
package final class SessionWorld {
  /// A client's machine, and the person in front of it.
  private struct Place {
    let device: ClientDevice
    let person: Person
    let clock: ClientClock
  }

  private let schedule: SessionSchedule
  private let agenda = Agenda()
  private let database: SimulatedDatabase
  private let link: SimulatedLink
  private let hosts: [BackendHost]
  private let places: [Place]
  private let observe: SessionObserver

  /// The time that the world may take to come to rest when all is well again, in milliseconds.
  private static let patience = 3_600_000

  /// The session of the client with this number.
  package static func session(_ client: Int) -> String { "session-\(client + 1)" }

  /// - Parameter onObservation: receives everything that happens, with the session that it is about, nil for all of them,
  ///   and its moment.
  package init(_ schedule: SessionSchedule, onObservation: @escaping (Observation, String?, Moment) -> Void) {
    self.schedule = schedule
    let agenda = agenda
    let observe: SessionObserver = { onObservation($0, $1, agenda.now) }
    self.observe = observe
    let seed = schedule.setting.seed
    let isShared = schedule.setting.backends > 1
    let database = SimulatedDatabase(on: agenda, isShared: isShared, seed: seed, observe: observe)
    let link = SimulatedLink(on: agenda, seed: seed, lineEnd: schedule.setting.lineEnd ?? .lineFeed, observe: observe)
    let model = ModelScript(schedule)
    self.database = database
    self.link = link
    hosts = (0..<max(1, schedule.setting.backends)).map {
      BackendHost($0, isShared: isShared, on: agenda, link, database, model, observe: observe)
    }
    places = (0..<schedule.setting.clientCount).map { client in
      Self.place(client, schedule, on: agenda, link, observe: observe)
    }
  }

  private static func place(
    _ client: Int, _ schedule: SessionSchedule, on agenda: Agenda, _ link: SimulatedLink,
    observe: @escaping SessionObserver
  ) -> Place {
    final class Box { weak var device: ClientDevice? }
    let (box, clock, session) = (Box(), ClientClock(), session(client))
    let person = Person(on: agenda, schedule) { box.device?.process }
    let device = ClientDevice(
      ClientProcess.Surroundings(
        session: session, agenda: agenda, link: link, disk: ClientDisk(), clock: clock, schedule: schedule,
        observe: { observe($0, session) }, ask: { [weak person] in person?.answer($1, in: $0) }),
      seed: schedule.setting.seed ^ UInt64(client))
    box.device = device
    return Place(device: device, person: person, clock: clock)
  }

  /// Runs to the end. Returns why the world did not come to rest; nil where it did.
  package func run() -> String? {
    database.onChange = { [hosts] change in for host in hosts { host.receive(change) } }
    for host in hosts { host.start() }
    for place in places { place.device.start() }
    for step in schedule.steps {
      agenda.at(Moment(0).adding(milliseconds: step.at)) { [unowned self] in perform(step) }
    }
    run(until: schedule.setting.end)
    heal()
    let unrest = settle()
    clear()
    return unrest
  }

  private func run(until milliseconds: Int) {
    let end = Moment(0).adding(milliseconds: milliseconds)
    while step(before: end) {}
  }

  private func step(before end: Moment) -> Bool {
    // Clocks are read in what happens next, so they show its moment.
    agenda.step(before: end) { now in for place in places { place.clock.set(now) } }
  }

  /// Everything works again; a person retries what has no answer.
  private func heal() {
    observe(.fault("all is well"), nil)
    link.heal()
    for place in places { place.device.process?.connection?.slow(upTo: StreamConnection.usualWay) }
    database.heal()
    for host in hosts { host.heal() }
    for place in places { place.device.heal() }
  }

  private func settle() -> String? {
    let end = agenda.now.adding(milliseconds: Self.patience)
    var checks: Moment = 0
    var reason: String? = "nothing happened"
    while agenda.now < end {
      guard step(before: end) else { break }
      guard agenda.now >= checks else { continue }
      checks = agenda.now.adding(milliseconds: 1_000)
      reason = unrest
      guard reason == nil else { continue }
      // What is on its way arrives.
      let rest = min(end, agenda.now.adding(milliseconds: StreamConnection.longestWay + 1_000))
      while step(before: rest) {}
      reason = unrest
      if reason == nil { return nil }
    }
    return reason
  }

  /// The part that is not at rest yet; nil for none.
  private var unrest: String? {
    for (client, place) in places.enumerated() {
      if let unrest = unrest(of: place, Self.session(client)) { return unrest }
    }
    return nil
  }

  private func unrest(of place: Place, _ session: String) -> String? {
    let (device, person) = (place.device, place.person)
    guard let client = device.process else { return "the client is not there" }
    if !person.unsaid.isEmpty { return "a message waits to be said" }
    if client.life.isPaused { return "the client is suspended" }
    switch client.machine.connectionState {
    case .active, .reconnected: break
    case .failed, .blocked, .idle:
      // What waits there waits for a person.
      client.startAgain()
      return "the connection is over"
    case .registering, .connecting, .reconnecting: return "the client is not connected"
    }
    if client.isWaiting { return "a request is not answered" }
    if client.machine.isTurnInProgress { return "a turn runs in the client" }
    if database.rows({ $0.running(in: session) }) != nil { return "a turn runs on the backend" }
    return nil
  }

  private func clear() {
    agenda.clear()
    link.clear()
    database.onChange = { _ in }
    for host in hosts { host.clear() }
    for place in places { place.device.clear() }
  }

  private func perform(_ step: SessionStep) {
    let client = min(max(step.client ?? 0, 0), places.count - 1)
    let (place, session) = (places[client], Self.session(client))
    let (device, person, clock) = (place.device, place.person, place.clock)
    switch step.event {
    case .say(let message, _): person.say(message)
    case .retry: person.retry()
    case .cancelTurn: person.cancelTurn()
    case .restartClient(let down): device.restart(down: down)
    case .killClient(let steps, let kept, let down): device.kill(inSteps: steps, kept: kept, down: down)
    case .suspendClient(let time): device.suspend(for: time)
    case .stallClient(let time): device.stall(for: time)
    case .setClientClock(let seconds):
      observe(.clientClockSet, session)
      clock.setWall(forward: seconds)
    case .killBackend(let number, let step, let down): with(number) { $0.kill(inSteps: step, down: down) }
    case .stopBackend(let number, let down): with(number) { $0.stop(down: down) }
    case .pauseBackend(let number, let time): with(number) { $0.pause(for: time) }
    case .setBackendClock(let number, let seconds): with(number) { $0.setClock(forward: seconds) }
    case .disturbStorage(let fault, let time):
      observe(.fault("storage \(fault)"), nil)
      database.disturb(fault, for: time)
    case .trim(let share): database.trim(session, keeping: share)
    case .cutStream(let count): device.process?.connection?.cut(afterBytes: count)
    case .loseEvent: device.process?.connection?.loseNext()
    case .lingerStream: device.process?.connection?.linger()
    case .slowStream(let time): device.process?.connection?.slow(upTo: time)
    case .repeatEvents(let count, let isShuffled):
      for host in hosts { host.process?.repeatEvents(count, isShuffled: isShuffled) }
    case .disturbRequests(let fate, let count): link.disturb(fate, count: count)
    }
  }

  private func with(_ number: Int, _ body: (BackendHost) -> Void) {
    if hosts.indices.contains(number) { body(hosts[number]) }
  }
}
