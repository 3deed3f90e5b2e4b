"""The mutations of Tools/mutation-check: for each of the session's seventeen invariants at least one way to break it, and the
tests that must notice.

`was` is code that stands exactly once in the folder, in one file of it; how it is broken into lines does not matter. `now` takes
its place; MUTATED in it is true where the mutation was chosen. `also` has the other places of one that is two. `tests` are
filters of `swift test`. With --simulator, `simulate session` is to find each, but for those where `unseen` says why it cannot.
QUICK names those that Tools/test tries. The backend's turns stand in turn_mutations.py, the ledger's in ledger_mutations.py.
"""

import ledger_mutations
import turn_mutations

CORE = "Sources/Session/ResolveKitCore"
SESSION = "Sources/Session/ResolveKitSession"
EVENTS = "Sources/Streams/EventStream"

QUICK = ["replays-count", "resumes-across-sessions"]

MUTATIONS = [
    dict(
        name="replays-count", invariant=1, folder=CORE,
        breaks="an event that was applied is applied again when it is replayed",
        was="if accept(id) { return true }",
        now="if accept(id) || MUTATED { return true }",
        tests=["ResolveKitCoreTests.TurnMachineTests/", "ResolveKitCoreTests.ReplayLogTests/"]),
    dict(
        name="cursor-without-text", invariant=2, folder=CORE,
        breaks="the cursor is recorded, and the text of its event is not",
        was="text += piece effects.remember(.text(piece))",
        now="""text += piece
        if !MUTATED { effects.remember(.text(piece)) }""",
        tests=["ResolveKitCoreTests.JournalCutTests/processEndsAtEveryByteOfItsJournal"]),
    dict(
        name="forgets-calls", invariant=2, folder=CORE,
        breaks="the cursor is recorded behind a call, and the call is not",
        was="entries[call.key] = CallEntry(call) effects.remember(.call(call)) return true",
        now="""entries[call.key] = CallEntry(call)
    if !MUTATED { effects.remember(.call(call)) }
    return true""",
        tests=["ResolveKitCoreTests.JournalCutTests/processEndsAtEveryByteOfItsJournal"]),
    dict(
        name="id-without-event", invariant=2, folder=EVENTS,
        breaks="a block's id counts before its blank line",
        was="public var lastEventID: String { block.lastEventID }",
        now="public var lastEventID: String { MUTATED && block.hasID ? block.nextID : block.lastEventID }",
        also=[
            dict(folder=EVENTS, was="private var nextID", now="private(set) var nextID"),
            dict(folder=EVENTS, was="private var hasID", now="private(set) var hasID"),
        ],
        tests=["EventStreamTests.EventStreamParserStateTests/"]),
    dict(
        name="resumes-across-sessions", invariant=3, folder=CORE,
        breaks="the cursor of a session is sent to the next one",
        was="seen.removeAll() resumePoint = nil",
        now="""seen.removeAll()
        if !MUTATED { resumePoint = nil }""",
        unseen="a client of the simulated world never has a second session",
        tests=["ResolveKitCoreTests.TurnInvariantTests/theCursorIsOfOneSession"]),
    dict(
        name="split-line-end", invariant=4, folder=EVENTS,
        breaks="a line feed at the beginning of a chunk ends a line of its own behind a carriage return",
        was="ignoresLineFeed = true return next",
        now="""ignoresLineFeed = !MUTATED
        return next""",
        unseen="the contract's envelope repeats the id and the type that a block loses by it",
        tests=["EventStreamTests.EventStreamParserTests/everyRuleHoldsForEveryChunking"]),
    dict(
        name="keeps-partial-text", invariant=5, folder=CORE,
        breaks="the text of the terminal event is not compared with what is shown",
        was="if let payload { setText(payload.fullText) }",
        now="if let payload, !MUTATED { setText(payload.fullText) }",
        tests=["ResolveKitCoreTests.TurnInvariantTests/textConverges"]),
    dict(
        name="runs-interrupted-calls", invariant=6, folder=CORE,
        breaks="a tool that was started before the process ended is started again",
        was="guard tools[left.call.functionName]?.isIdempotent == true else {",
        now="guard MUTATED || tools[left.call.functionName]?.isIdempotent == true else {",
        tests=["ResolveKitCoreTests.JournalCutTests/processEndsAtEveryStep"]),
    dict(
        name="starts-before-disk", invariant=7, folder=SESSION,
        breaks="a tool is started before the record of its start is on the disk",
        was="guard action.needsDurability, reached < appended else { return true }",
        now="guard action.needsDurability, reached < appended, !MUTATED else { return true }",
        tests=["ResolveKitUITests.RuntimeDiskTests/aFullDiskIsReportedAndGotOver"]),
    dict(
        name="no-record-of-starts", invariant=7, folder=CORE,
        breaks="the start of a tool leaves no record",
        was="if before != .running { effects.remember(.intended(entry.call)) }",
        now="if before != .running, !MUTATED { effects.remember(.intended(entry.call)) }",
        tests=["ResolveKitCoreTests.JournalCutTests/processEndsAtEveryStep"]),
    dict(
        name="forgets-undelivered", invariant=8, folder=CORE,
        breaks="a result that could not be delivered is not sent again when the stream is back",
        was="for key in ledger.undelivered { retryResult(key, &effects) }",
        now="for key in ledger.undelivered where !MUTATED { retryResult(key, &effects) }",
        tests=["ResolveKitCoreTests.TurnToolTests/aResultThatWaitsGoesOutWithTheNextStream"]),
    dict(
        name="gives-up-results", invariant=8, folder=CORE,
        breaks="a result whose first delivery fails is given up",
        was="guard attempt < limit else { return .ends(.abandoned) }",
        now="guard attempt < limit, !MUTATED else { return .ends(.abandoned) }",
        tests=["ResolveKitCoreTests.TurnToolTests/", "ResolveKitCoreTests.CallEntryTests/"]),
    dict(
        name="posts-before-disk", invariant=8, folder=CORE,
        breaks="a result is sent before the record of it is on the disk",
        was="case .postMessage, .startTool, .deliverResult: true",
        now="""case .deliverResult: !MUTATED
    case .postMessage, .startTool: true""",
        tests=["ResolveKitSessionTests.DurabilityGateTests/aResultWaitsForTheRecordOfIt"]),
    dict(
        name="one-key-for-all", invariant=8, folder=CORE,
        breaks="a call that is asked for again is answered under the first answer's key",
        was="guard let repetition else { return callID }",
        now="guard let repetition, !MUTATED else { return callID }",
        unseen="the backend gives each call of a turn an id of its own, and asks for none again",
        tests=["ResolveKitCoreTests.RepeatedCallTests/"]),
    dict(
        name="approves-unseen", invariant=9, folder=CORE,
        breaks="a decision counts for a call whose arguments were not shown",
        was="ledger[key]?.call.pending.isShown(as: call) ?? true else",
        now="MUTATED || ledger[key]?.call.pending.isShown(as: call) ?? true else",
        unseen="what a simulated person is shown is what is there: another call never comes under the same id",
        tests=["ResolveKitCoreTests.StaleDecisionTests/aDecisionIsBoundToEachByteOfWhatWasShown"]),
    dict(
        name="approves-late", invariant=9, folder=CORE,
        breaks="an approval that comes after the backend's deadline is taken",
        was="if decision.approves, keys.contains(where: { isOverdue($0, at: now) }) { throw .tooLate }",
        now="if decision.approves, !MUTATED, keys.contains(where: { isOverdue($0, at: now) }) { throw .tooLate }",
        unseen="what was approved too late is not started all the same, by the rule that 'starts-late' breaks",
        tests=["ResolveKitCoreTests.ToolApprovalTests/invariant9AnApprovalAfterTheDeadlineStartsNothingAndSaysWhy"]),
    dict(
        name="starts-late", invariant=10, folder=CORE,
        breaks="a place that comes free after a call's deadline starts its tool, also when the record of that is on the disk",
        was="guard now < entry.deadline else { book.expire(key, because: \"Timed out\", mayDeliver: moment.mayDeliver, "
            "&effects) continue }",
        now="""guard MUTATED || now < entry.deadline else {
          book.expire(key, because: "Timed out", mayDeliver: moment.mayDeliver, &effects)
          continue
        }""",
        also=[dict(
            folder=SESSION,
            was="waiting.prefix { $0.place <= reached } .compactMap",
            now="""waiting.prefix { $0.place <= reached && !MUTATED }
      .compactMap""")],
        tests=["ResolveKitCoreTests.ToolTimeoutTests/invariant10APlaceThatComesFreeAfterTheDeadlineStartsNothing"]),
    dict(
        name="starts-after-a-wait", invariant=10, folder=SESSION,
        breaks="a start that has waited for the disk beyond its call's deadline happens",
        was="if case .startTool(let call) = $0.action { call.key } else { nil }",
        now="if case .startTool(let call) = $0.action, !MUTATED { call.key } else { nil }",
        tests=["ResolveKitSessionTests.DurabilityGateTests/startsThatAreAboutToHappenAreNamedAndCanBeWithdrawn"]),
    dict(
        name="waits-for-the-tool", invariant=10, folder=CORE,
        breaks="a tool that ignores its time limit holds up the result",
        was="effects.emit(.cancelTool(key)) "
            "record(key, .failure(error), .failed(error), mayDeliver: mayDeliver, &effects)",
        now="""effects.emit(.cancelTool(key))
        if !MUTATED { record(key, .failure(error), .failed(error), mayDeliver: mayDeliver, &effects) }""",
        tests=["ResolveKitCoreTests.ToolTimeoutTests/invariant10TheResultGoesOutAtTheDeadlineAndALateOneIsDropped"]),
    dict(
        name="hears-old-streams", invariant=11, folder=CORE,
        breaks="a report of an older stream counts",
        was="if other == generation { return true }",
        now="if MUTATED || other == generation { return true }",
        tests=["ResolveKitCoreTests.TurnInvariantTests/oneLiveConnection"]),
    dict(
        name="eof-ends-turns", invariant=12, folder=CORE,
        breaks="the end of a stream ends the turn",
        was="link.streamEnded(generation, isRoutine: isClean && resumesAtOnce, reason: reason, &effects)",
        now="""link.streamEnded(generation, isRoutine: isClean && resumesAtOnce, reason: reason, &effects)
        if MUTATED { finish(.failed, failure: RequestFailure(code: "gone", message: "The stream ended.")) }""",
        tests=["ResolveKitCoreTests.TurnInvariantTests/turnsEndByTheirOwnEvent"]),
    dict(
        name="no-floor", invariant=13, folder=EVENTS,
        breaks="a wait between two attempts may be next to nothing",
        was="let earliest = max(configuration.floor, order ?? .zero)",
        now="let earliest = max(MUTATED ? .zero : configuration.floor, order ?? .zero)",
        tests=["EventStreamTests.BackoffTests/theWaitDoublesWithJitterBetweenFloorAndCeiling"]),
    dict(
        name="keeps-all-results", invariant=14, folder=CORE,
        breaks="results that were delivered are kept without limit",
        was="for key in order where total > keptBytes && key != newest {",
        now="for key in order where !MUTATED && total > keptBytes && key != newest {",
        unseen="memory is not judged",
        tests=["ResolveKitCoreTests.RepeatedCallTests/settledResultsAreBounded"]),
    dict(
        name="unbounded-lines", invariant=14, folder=EVENTS,
        breaks="a line without an end is held without limit",
        was="try block.checkLine( length: unfinished.count &+ (to &- from), isComment: first == colon, limits)",
        now="""if !MUTATED {
          try block.checkLine(length: unfinished.count &+ (to &- from), isComment: first == colon, limits)
        }""",
        unseen="no simulated server sends a line without an end",
        tests=["EventStreamTests.EventStreamLimitsTests/aHundredMegabyteLineIsRefusedWithinTheLimit"]),
    dict(
        name="tools-outlive-stops", invariant=15, folder=CORE,
        breaks="a stop does not cancel the tools that run",
        was="if ledger[key]?.progress == .running { effects.emit(.cancelTool(key)) } "
            "record(key, .failure(reason), .cancelled(reason), mayDeliver: false, &effects)",
        now="""if ledger[key]?.progress == .running, !MUTATED { effects.emit(.cancelTool(key)) }
        record(key, .failure(reason), .cancelled(reason), mayDeliver: false, &effects)""",
        unseen="the shell's stop cancels all tools as well",
        tests=["ResolveKitCoreTests.TurnInvariantTests/stopIsIdempotent"]),
    dict(
        name="open-window", invariant=16, folder=CORE,
        breaks="a call joins a batch whose window is over",
        was="now < batches[index].closesAt,",
        now="MUTATED || now < batches[index].closesAt,",
        tests=["ResolveKitCoreTests.ToolBatchTests/invariant16TheWindowIsCountedFromTheFirstCallAndDoesNotSlide"]),
    dict(
        name="endless-batches", invariant=16, folder=CORE,
        breaks="a batch takes any number of calls",
        was="batches[index].keys.count < limit, batches[index].turnID.hasSameBytes(as: key.turnID)",
        now="MUTATED || batches[index].keys.count < limit, batches[index].turnID.hasSameBytes(as: key.turnID)",
        tests=["ResolveKitCoreTests.ToolBatchTests/invariant16ABatchHasAHardMaximum"]),
    dict(
        name="logs-tokens", invariant=17, folder=SESSION,
        breaks="a session's token is written to the log",
        was="renewal.schedule { [weak self] in await self?.renewToken() }",
        now="""if MUTATED { logger.debug("\\(new.chatCapabilityToken)") }
        renewal.schedule { [weak self] in await self?.renewToken() }""",
        unseen="tokens and logs are not simulated",
        tests=["ResolveKitUITests.RuntimeSecretTests/secretsStayWhereTheyWereGiven"]),
] + turn_mutations.ROWS + ledger_mutations.ROWS
