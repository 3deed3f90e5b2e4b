"""The mutations of Tools/mutation-check that break what the event ledger promises: its feed, its append queue, leases and keys,
the pool of connections, the schemas. mutations.py describes the rows; `part` stands where the session's have the number of
an invariant."""

LEDGER = "Sources/Servers/EventLedger"
POSTGRES = "Sources/Servers/EventLedgerPostgres"

FEED_RULES = ["EventLedgerTests.FeedCoreTests/"]
FEED = ["EventLedgerTests.LedgerFeedTests/"]
APPEND_RULES = ["EventLedgerTests.AppendCoreTests/"]
CONFORMANCE = ["EventLedgerTests.LedgerConformanceTests/"]
SQLITE = ["EventLedgerTests.SQLiteLedgerTests/"]
SERVER = ["EventLedgerTests.PostgresLedgerTests/"]

ROWS = [
    # The feed: no reader misses an event, none has one twice, and what it holds is bounded.
    dict(
        name="feed-keeps-tails", part="feed", folder=LEDGER,
        breaks="the events of a stream that nobody reads any more are kept",
        was="guard let tail = tails[seat.stream], tail.readerCount == 0 else { return }",
        now="guard let tail = tails[seat.stream], tail.readerCount == 0, !MUTATED else { return }",
        tests=FEED_RULES),
    dict(
        name="feed-hears-no-loss", part="feed", folder=LEDGER,
        breaks="nothing is asked when notifications may have been lost",
        was="case .missed: actions.append(.pollNow)",
        now="case .missed: if !MUTATED { actions.append(.pollNow) }",
        tests=FEED_RULES),
    dict(
        name="feed-ends-early", part="feed", folder=LEDGER,
        breaks="a closed feed ends readers that have not read what is there",
        was="case .claimed, .reached: return .read case .atEnd: return .end",
        now="""case .claimed, .reached: return MUTATED ? .end : .read
        case .atEnd: return .end""",
        tests=FEED_RULES),
    dict(
        name="feed-old-polls", part="feed", folder=LEDGER,
        breaks="a poll that began before a stream's end was known anew counts for it",
        was="for (stream, watch) in poll.watches where tails[stream]?.number == watch.tail { "
            "wake(stream) { $0.polled(extents[stream], end: watch.end) } }",
        now="""for (stream, watch) in poll.watches where MUTATED || tails[stream]?.number == watch.tail {
      wake(stream) { $0.polled(extents[stream], end: watch.end) }
    }""",
        tests=FEED_RULES),
    dict(
        name="tail-deaf", part="feed", folder=LEDGER,
        breaks="a notification of an append is not followed by a read",
        was="if let end, last <= end { return } mayHaveMore = true",
        now="""if let end, last <= end { return }
    if !MUTATED { mayHaveMore = true }""",
        tests=FEED_RULES),
    dict(
        name="tail-over-gaps", part="feed", folder=LEDGER,
        breaks="a page that does not follow the last is handed on",
        was="guard page.first?.sequence == cursor + 1, last == cursor + Int64(page.count) else { return reset() }",
        now="guard MUTATED || page.first?.sequence == cursor + 1 && last == cursor + Int64(page.count) else {\n"
            "      return reset()\n    }",
        tests=FEED_RULES),
    dict(
        name="tail-full-page", part="feed", folder=LEDGER,
        breaks="a page with as many events as it may have is taken for the last",
        was="isBehind = page.count >= limits.pageEvents ||",
        now="isBehind = page.count >= limits.pageEvents && !MUTATED ||",
        tests=FEED_RULES),
    dict(
        name="tail-heavy-page", part="feed", folder=LEDGER,
        breaks="a page that its bytes have ended is taken for the last",
        was="|| bytes >= LedgerLimits.pageBytes mayHaveMore =",
        now="""|| bytes >= LedgerLimits.pageBytes && !MUTATED
    mayHaveMore =""",
        tests=FEED_RULES),
    dict(
        name="tail-first-is-last", part="feed", folder=LEDGER,
        breaks="a reader that has come from events, not from an end, is taken to be at the end",
        was="case .reached: mayHaveMore = true",
        now="case .reached: mayHaveMore = !MUTATED",
        tests=FEED_RULES),
    dict(
        name="tail-behind", part="feed", folder=LEDGER,
        breaks="a reader that is further than the tail waits for ever",
        was="guard cursor > end else { return [] } mayHaveMore = true",
        now="""guard cursor > end else { return [] }
    if !MUTATED { mayHaveMore = true }""",
        tests=FEED_RULES),
    dict(
        name="tail-shrunken", part="feed", folder=LEDGER,
        breaks="a stream that is shorter than it was goes unnoticed",
        was="guard let extent, extent.last >= known else { return reset() }",
        now="guard let extent, MUTATED || extent.last >= known else { return reset() }",
        tests=FEED_RULES),
    dict(
        name="tail-rests-behind", part="feed", folder=LEDGER,
        breaks="a stream that is known to have more rests",
        was="guard case .idle = reading, !isBehind else { return false }",
        now="guard case .idle = reading, MUTATED || !isBehind else { return false }",
        tests=FEED_RULES),
    dict(
        name="rest-never-longer", part="feed", folder=LEDGER,
        breaks="rests stay as short as they are where the process keeps up",
        was="factor = isLate ?",
        now="factor = isLate && !MUTATED ?",
        tests=FEED_RULES),
    dict(
        name="ring-shows-dropped", part="feed", folder=LEDGER,
        breaks="events that were dropped are handed on from what is kept",
        was="let kept = events.drop { $0.sequence <= floor }",
        now="let kept = events.drop { $0.sequence <= floor && !MUTATED }",
        tests=FEED_RULES),
    dict(
        name="ring-any-bytes", part="feed", folder=LEDGER,
        breaks="the newest events are kept whatever their size",
        was="while left > maximumBytes, excess < events.count {",
        now="while left > maximumBytes, excess < events.count, !MUTATED {",
        tests=FEED_RULES),
    dict(
        name="ring-any-number", part="feed", folder=LEDGER,
        breaks="the newest events are kept whatever their number",
        was="var excess = max(0, events.count - max(0, maximumEvents))",
        now="var excess = MUTATED ? 0 : max(0, events.count - max(0, maximumEvents))",
        tests=FEED_RULES),
    dict(
        name="mailbox-endless", part="feed", folder=LEDGER,
        breaks="a reader whose client takes nothing reads on",
        was="|| (events.count + count <= StreamMailbox.room && self.bytes + bytes <= StreamMailbox.roomBytes)",
        now="|| MUTATED || (events.count + count <= StreamMailbox.room && self.bytes + bytes <= StreamMailbox.roomBytes)",
        tests=["EventLedgerTests.StreamMailboxTests/"]),

    # The append queue: order, bounds, and never twice.
    dict(
        name="queue-any-number", part="append", folder=LEDGER,
        breaks="any number of appends waits",
        was="guard appends < limits.queuedAppends,",
        now="guard MUTATED || appends < limits.queuedAppends,",
        tests=APPEND_RULES),
    dict(
        name="queue-any-bytes", part="append", folder=LEDGER,
        breaks="appends of any size wait",
        was="appends == 0 || self.bytes + bytes <= limits.queuedBytes else {",
        now="MUTATED || appends == 0 || self.bytes + bytes <= limits.queuedBytes else {",
        tests=APPEND_RULES),
    dict(
        name="queue-large-batches", part="append", folder=LEDGER,
        breaks="a transaction has any number of bytes",
        was="guard length == 0 || sum <= limits.batchBytes else { break }",
        now="guard length == 0 || sum <= limits.batchBytes || MUTATED else { break }",
        tests=APPEND_RULES),
    dict(
        name="queue-two-at-once", part="append", folder=LEDGER,
        breaks="a batch is written while another is",
        was="guard case .idle = state, !queue.isEmpty else { return nil }",
        now="""if MUTATED { state = .idle }
    guard case .idle = state, !queue.isEmpty else { return nil }""",
        tests=APPEND_RULES),
    dict(
        name="queue-late-retries", part="append", folder=LEDGER,
        breaks="an append that is tried again comes after those that followed it",
        was="queue = retried + queue",
        now="queue = MUTATED ? queue + retried : retried + queue",
        tests=APPEND_RULES),
    dict(
        name="queue-repeats-unknown", part="append", folder=LEDGER,
        breaks="an append without a key that may have happened is tried again",
        was="case .unavailable(let mayHaveHappened): entry.hasKey || !mayHaveHappened",
        now="case .unavailable(let mayHaveHappened): MUTATED || entry.hasKey || !mayHaveHappened",
        tests=APPEND_RULES),
    dict(
        name="queue-never-gives-up", part="append", folder=LEDGER,
        breaks="an append is tried for ever",
        was="if entry.attempts < limits.attempts, mayRetry(entry, code) {",
        now="if MUTATED || entry.attempts < limits.attempts, mayRetry(entry, code) {",
        tests=APPEND_RULES),
    dict(
        name="queue-hammers", part="append", folder=LEDGER,
        breaks="the pauses between attempts do not grow",
        was="limits.pause * (1 << min(attempts - 1, 20))",
        now="limits.pause * (MUTATED ? 1 : 1 << min(attempts - 1, 20))",
        tests=APPEND_RULES),
    dict(
        name="queue-forgets-load", part="append", folder=LEDGER,
        breaks="the bytes of what was written count for ever",
        was="appends -= 1 bytes -= entry.bytes",
        now="""appends -= 1
    if !MUTATED { bytes -= entry.bytes }""",
        tests=APPEND_RULES),

    # Leases, fences and keys.
    dict(
        name="lease-stolen", part="lease", folder=LEDGER,
        breaks="SQLite gives a lease away that runs",
        was="if let expiry = row.expiry, expiry > now, row.holder != holder {",
        now="if let expiry = row.expiry, expiry > now, row.holder != holder, !MUTATED {",
        tests=CONFORMANCE),
    dict(
        name="lease-same-fence", part="lease", folder=LEDGER,
        breaks="SQLite gives the next lease the last one's number",
        was="fence: row.fence + 1, expiry: now + duration)",
        now="fence: row.fence + (MUTATED ? 0 : 1), expiry: now + duration)",
        tests=CONFORMANCE),
    dict(
        name="lease-unfenced", part="lease", folder=LEDGER,
        breaks="SQLite appends under a lease that is over",
        was="guard lease.fence == fence else {",
        now="guard MUTATED || lease.fence == fence else {",
        tests=CONFORMANCE),
    dict(
        name="lease-outlives-release", part="lease", folder=LEDGER,
        breaks="a lease that was released still appends in SQLite",
        was="sql: \"UPDATE ledger_streams SET fence = fence + 1, holder = '', expires_at = NULL WHERE name = ? AND fence = ?\"",
        now="sql: \"UPDATE ledger_streams SET fence = fence + \\(MUTATED ? 0 : 1), holder = '', expires_at = NULL \"\n"
            "          + \"WHERE name = ? AND fence = ?\"",
        tests=CONFORMANCE),
    dict(
        name="lease-shared", part="lease", folder=POSTGRES,
        breaks="PostgreSQL gives a lease away that runs",
        was="IF s.expires_at > stamp AND s.holder <> p_holder THEN",
        now="IF s.expires_at > stamp AND s.holder <> p_holder AND NOT \\(MUTATED) THEN",
        tests=CONFORMANCE),
    dict(
        name="lease-unfenced-server", part="lease", folder=POSTGRES,
        breaks="PostgreSQL appends under a lease that is over",
        was="IF s.fence <> p_fence THEN RETURN ledger_say('fenced', s.fence, 0, ''); END IF; IF p_key IS NOT NULL THEN",
        now="""IF s.fence <> p_fence AND NOT \\(MUTATED) THEN RETURN ledger_say('fenced', s.fence, 0, ''); END IF;
      IF p_key IS NOT NULL THEN""",
        tests=CONFORMANCE),
    dict(
        name="key-forgotten", part="lease", folder=LEDGER,
        breaks="SQLite stores an append again under its key",
        was="if let key = append.key, let digest, let known =",
        now="if !MUTATED, let key = append.key, let digest, let known =",
        tests=CONFORMANCE),
    dict(
        name="key-for-others", part="lease", folder=LEDGER,
        breaks="SQLite answers other events with a key's first receipt",
        was='guard row["digest"] == Data(digest) else {',
        now='guard MUTATED || row["digest"] == Data(digest) else {',
        tests=CONFORMANCE),
    dict(
        name="sweep-whole", part="lease", folder=LEDGER,
        breaks="SQLite removes all dropped events in one transaction",
        was='min((row["floor"] as Int64) - swept, Int64(max(0, limit)))',
        now='min((row["floor"] as Int64) - swept, MUTATED ? .max : Int64(max(0, limit)))',
        tests=CONFORMANCE),

    # Connections.
    dict(
        name="pool-any-number", part="pool", folder=POSTGRES,
        breaks="any number of statements waits for a connection",
        was="guard entries.count < limit else { return false }",
        now="guard entries.count < limit || MUTATED else { return false }",
        tests=["EventLedgerTests.PostgresQueueTests/"]),
    dict(
        name="pool-patient", part="pool", folder=POSTGRES,
        breaks="a statement waits for a connection for ever",
        was="step - entry.step >= patience {",
        now="step - entry.step >= patience, !MUTATED {",
        tests=["EventLedgerTests.PostgresQueueTests/"]),
    dict(
        name="pool-keeps-stopped", part="pool", folder=POSTGRES,
        breaks="a stopped process holds a stream as long as it is stopped",
        was="?.isLockTimeout == true, !connection.isBroken {",
        now="?.isLockTimeout == true, !connection.isBroken, !MUTATED {",
        tests=["EventLedgerTests.PostgresPatienceTests/whatAStoppedProcess"]),
    dict(
        name="pool-deadlock", part="pool", folder=POSTGRES,
        breaks="streams are locked in the order of the appends",
        was=".sorted { (appends[$0].lease.stream, $0) < (appends[$1].lease.stream, $1) }",
        now=".sorted { MUTATED ? $0 < $1 : (appends[$0].lease.stream, $0) < (appends[$1].lease.stream, $1) }",
        tests=["EventLedgerTests.PostgresLedgerTests/twoProcessesThatWrite"]),
    dict(
        name="pool-trusts-anybody", part="pool", folder=POSTGRES,
        breaks="the server's certificate is not verified",
        was='("sslmode", "verify-full"),',
        now='("sslmode", MUTATED ? "require" : "verify-full"),',
        tests=["EventLedgerTests.PostgresTLSTests/"]),
    dict(
        name="listener-deaf", part="pool", folder=POSTGRES,
        breaks="other processes' retention is not noticed",
        was='case "t": return .trimmed(stream: stream, floor: number)',
        now='case "t": return MUTATED ? nil : .trimmed(stream: stream, floor: number)',
        tests=["EventLedgerTests.PostgresLedgerTests/notificationsOfAnyForm"]),

    # Schemas.
    dict(
        name="schema-later-file", part="schema", folder=LEDGER,
        breaks="a file of a later version is opened",
        was='guard later.isEmpty else { throw refusal(later.sorted().joined(separator: "; ")) }',
        now='guard MUTATED || later.isEmpty else { throw refusal(later.sorted().joined(separator: "; ")) }',
        tests=SQLITE),
    dict(
        name="schema-later-server", part="schema", folder=POSTGRES,
        breaks="a database of a later version is opened",
        was="guard later.isEmpty else {",
        now="guard MUTATED || later.isEmpty else {",
        tests=["EventLedgerTests.PostgresLedgerTests/aDatabaseOfALater"]),
    dict(
        name="schema-all-at-once", part="schema", folder=POSTGRES,
        breaks="processes that open an empty database do not wait for each other",
        was="SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(7310592041);",
        now="SET LOCAL statement_timeout = 0; SELECT \\(MUTATED ? \"1\" : \"pg_advisory_xact_lock(7310592041)\");",
        tests=["EventLedgerTests.PostgresLedgerTests/manyOpen"]),
    dict(
        name="backup-same-name", part="schema", folder=LEDGER,
        breaks="a restored file goes by the name of the one that it was copied from",
        was='sql: "UPDATE ledger_identity SET is_copy = 1")',
        now='sql: "UPDATE ledger_identity SET is_copy = \\(MUTATED ? 0 : 1)")',
        tests=SQLITE),
    dict(
        name="schema-again", part="schema", folder=POSTGRES,
        breaks="a step that was made is made again",
        was="for migration in migrations where !names.contains(migration.name) {",
        now="for migration in migrations where MUTATED || !names.contains(migration.name) {",
        tests=["EventLedgerTests.PostgresLedgerTests/manyOpen"]),
]

for mutation in ROWS:
    mutation.setdefault("unseen", "the session's simulator has no ledger")
