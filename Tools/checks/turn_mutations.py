"""The mutations of Tools/mutation-check that break the backend's turns, which one process may take from another; mutations.py tells
how a row is read."""

BACKEND = "Sources/Servers/ReferenceBackend"

COURSE = ["ReferenceBackendTests.TurnCourseTests/"]

ROWS = [
    dict(
        name="asks-before-keeping", part="turns", folder=BACKEND,
        breaks="the client is asked for calls that are not on the disk yet",
        was="let actions: [Action] = [.keep(round)] + (requests.isEmpty ? [] : [.publish(requests)])",
        now="""let publishing: [Action] = requests.isEmpty ? [] : [.publish(requests)]
    let actions: [Action] = MUTATED ? publishing + [.keep(round)] : [.keep(round)] + publishing""",
        tests=COURSE),
    dict(
        name="goes-on-without-results", part="turns", folder=BACKEND,
        breaks="the model is not told what its calls have given",
        was="conversation.messages += results",
        now="if !MUTATED { conversation.messages += results }",
        tests=COURSE),
    dict(
        name="keeps-lost-turns", part="turns", folder=BACKEND,
        breaks="a process whose turn is another's goes on with it",
        was="case .leaseLost, .stopped: return leave()",
        now="""case .leaseLost where MUTATED: return []
    case .leaseLost, .stopped: return leave()""",
        unseen="all that it does then is refused by its fence, and the model is asked with proof alone",
        tests=COURSE),
    dict(
        name="says-again", part="turns", folder=BACKEND,
        breaks="a turn whose process ended in the middle of an answer is answered from there once more",
        was="return isWaiting ? nil : .abandoned(isTaken: false)",
        now="return isWaiting || MUTATED ? nil : .abandoned(isTaken: false)",
        tests=["ReferenceBackendTests.InterruptedTurnTests/aCrashIsReportedAndNothingIsLost"]),
    dict(
        name="one-name-for-all-turns", part="turns", folder=BACKEND,
        breaks="a look for a turn that is over takes the stream from the next one of the same process",
        was=r'to: isShared ? "\(holder)/\(turnID)" : holder, for: duration',
        now=r'to: isShared && !MUTATED ? "\(holder)/\(turnID)" : holder, for: duration',
        also=[
            dict(
                folder=BACKEND,
                was="guard let lease = try await services.leases.visit(sessionID, as: UUID().uuidString.lowercased())",
                now="""let visitor = UUID().uuidString.lowercased()
    guard
      let lease = try await
        (MUTATED
        ? services.leases.take(sessionID, forTurn: visitor, patience: .zero)
        : services.leases.visit(sessionID, as: visitor))
   """),
            dict(
                folder=BACKEND,
                was="guard try await turns.running(in: sessionID) == nil else {",
                now="""let running = try await turns.running(in: sessionID)
    guard MUTATED || running == nil else {"""),
        ],
        unseen="the simulator has a model of the shell that asks for leases",
        tests=["ReferenceBackendTests.FreedStreamTests/"]),
]
