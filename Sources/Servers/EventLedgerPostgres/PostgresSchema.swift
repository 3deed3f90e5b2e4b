import EventLedger

/// The ledger's tables and functions, version by version.
enum PostgresSchema {
  private static let migrations = [PostgresMigration("ledger", tables + functions)]

  /// Brings the database up to this version's schema. Throws ``LedgerError`` for a database of a later version.
  static func migrate(_ connection: PostgresConnection) throws {
    try PostgresMigration.apply(migrations, record: "ledger_migrations", connection)
  }

  /// Times are microseconds since 1970; `expires_at` is null where nobody holds the lease. `last` is in no index, and half
  /// of each page is left free, so that an append updates its stream's row in place.
  private static let tables = """
    CREATE TABLE ledger_streams (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE,
      last bigint NOT NULL DEFAULT 0, floor bigint NOT NULL DEFAULT 0, swept bigint NOT NULL DEFAULT 0,
      is_deleted boolean NOT NULL DEFAULT false, fence bigint NOT NULL DEFAULT 0, holder text NOT NULL DEFAULT '',
      expires_at bigint) WITH (fillfactor = 50);
    CREATE INDEX ledger_streams_by_expiry ON ledger_streams (expires_at) WHERE expires_at IS NOT NULL;
    CREATE INDEX ledger_streams_to_sweep ON ledger_streams (id) WHERE swept < floor;
    CREATE TABLE ledger_events (
      stream_id bigint NOT NULL, sequence bigint NOT NULL, fence bigint NOT NULL, at bigint NOT NULL,
      type text NOT NULL, payload bytea NOT NULL, PRIMARY KEY (stream_id, sequence));
    CREATE TABLE ledger_keys (
      stream_id bigint NOT NULL, key text COLLATE "C" NOT NULL, digest bytea NOT NULL, first bigint NOT NULL,
      last bigint NOT NULL, PRIMARY KEY (stream_id, key));
    CREATE INDEX ledger_keys_by_last ON ledger_keys (stream_id, last);
    CREATE TABLE ledger_identity (
      id integer PRIMARY KEY CHECK (id = 1), identity text NOT NULL, origin text NOT NULL);

    """

  /// An outcome is a word, two numbers and a text; what they mean depends on the word.
  private static let functions = """
    CREATE FUNCTION ledger_now() RETURNS bigint LANGUAGE sql VOLATILE AS
      $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint $$;

    CREATE FUNCTION ledger_locked(p_stream text) RETURNS ledger_streams LANGUAGE sql VOLATILE AS
      $$ SELECT * FROM ledger_streams WHERE name = p_stream FOR UPDATE $$;

    CREATE TYPE ledger_outcome AS (word text, a bigint, b bigint, note text);

    CREATE FUNCTION ledger_say(p_word text, p_a bigint, p_b bigint, p_note text) RETURNS ledger_outcome
    LANGUAGE sql IMMUTABLE AS $$ SELECT p_word, p_a, p_b, p_note $$;

    CREATE FUNCTION ledger_lease(p_stream text, p_holder text, p_span bigint) RETURNS ledger_outcome
    LANGUAGE plpgsql AS $$
    DECLARE s ledger_streams; stamp bigint := ledger_now();
    BEGIN
      INSERT INTO ledger_streams (name) VALUES (p_stream) ON CONFLICT (name) DO NOTHING;
      s := ledger_locked(p_stream);
      IF s.is_deleted THEN RETURN ledger_say('deleted', 0, 0, ''); END IF;
      IF s.expires_at > stamp AND s.holder <> p_holder THEN RETURN ledger_say('leased', s.expires_at, 0, s.holder); END IF;
      UPDATE ledger_streams SET fence = s.fence + 1, holder = p_holder, expires_at = stamp + p_span WHERE id = s.id;
      RETURN ledger_say('ok', s.fence + 1, stamp + p_span, '');
    END $$;

    CREATE FUNCTION ledger_renew(p_stream text, p_fence bigint, p_span bigint) RETURNS ledger_outcome
    LANGUAGE plpgsql AS $$
    DECLARE s ledger_streams := ledger_locked(p_stream); stamp bigint := ledger_now();
    BEGIN
      IF s.id IS NULL THEN RETURN ledger_say('unknown', 0, 0, ''); END IF;
      IF s.is_deleted THEN RETURN ledger_say('deleted', 0, 0, ''); END IF;
      IF s.fence <> p_fence THEN RETURN ledger_say('fenced', s.fence, 0, ''); END IF;
      UPDATE ledger_streams SET expires_at = stamp + p_span WHERE id = s.id;
      RETURN ledger_say('ok', s.fence, stamp + p_span, '');
    END $$;

    CREATE FUNCTION ledger_append(
      p_stream text, p_fence bigint, p_key text, p_digest bytea, p_types text[], p_payloads bytea[])
    RETURNS ledger_outcome LANGUAGE plpgsql AS $$
    DECLARE s ledger_streams := ledger_locked(p_stream); k ledger_keys; stamp bigint := ledger_now(); ending bigint;
    BEGIN
      IF s.id IS NULL THEN RETURN ledger_say('unknown', 0, 0, ''); END IF;
      IF s.is_deleted THEN RETURN ledger_say('deleted', 0, 0, ''); END IF;
      IF s.fence <> p_fence THEN RETURN ledger_say('fenced', s.fence, 0, ''); END IF;
      IF p_key IS NOT NULL THEN
        SELECT * INTO k FROM ledger_keys WHERE stream_id = s.id AND key = p_key AND last > s.floor;
        IF FOUND THEN
          IF k.digest <> p_digest THEN RETURN ledger_say('reused', 0, 0, ''); END IF;
          RETURN ledger_say('repeat', k.first, k.last, '');
        END IF;
      END IF;
      INSERT INTO ledger_events
        SELECT s.id, s.last + place, p_fence, stamp, type, payload
        FROM unnest(p_types, p_payloads) WITH ORDINALITY AS drafts (type, payload, place);
      ending := s.last + cardinality(p_types);
      UPDATE ledger_streams SET last = ending WHERE id = s.id;
      IF p_key IS NOT NULL THEN
        INSERT INTO ledger_keys VALUES (s.id, p_key, p_digest, s.last + 1, ending)
          ON CONFLICT (stream_id, key)
          DO UPDATE SET digest = EXCLUDED.digest, first = EXCLUDED.first, last = EXCLUDED.last;
      END IF;
      RETURN ledger_say('ok', s.last + 1, ending, '');
    END $$;

    CREATE FUNCTION ledger_trim(p_stream text, p_sequence bigint) RETURNS ledger_outcome LANGUAGE plpgsql AS $$
    DECLARE s ledger_streams := ledger_locked(p_stream); lowest bigint;
    BEGIN
      IF s.id IS NULL THEN RETURN ledger_say('unknown', 0, 0, ''); END IF;
      IF s.is_deleted THEN RETURN ledger_say('deleted', 0, 0, ''); END IF;
      lowest := greatest(s.floor, least(p_sequence, s.last));
      UPDATE ledger_streams SET floor = lowest WHERE id = s.id;
      PERFORM pg_notify('ledger', 't' || lowest || ' ' || p_stream);
      RETURN ledger_say('ok', lowest, 0, '');
    END $$;

    CREATE FUNCTION ledger_delete(p_stream text) RETURNS ledger_outcome LANGUAGE plpgsql AS $$
    DECLARE s ledger_streams := ledger_locked(p_stream);
    BEGIN
      IF s.id IS NULL THEN RETURN ledger_say('unknown', 0, 0, ''); END IF;
      IF s.is_deleted THEN RETURN ledger_say('deleted', 0, 0, ''); END IF;
      UPDATE ledger_streams SET floor = last, is_deleted = true, holder = '', expires_at = NULL WHERE id = s.id;
      PERFORM pg_notify('ledger', 'd0 ' || p_stream);
      RETURN ledger_say('ok', 0, 0, '');
    END $$;

    CREATE FUNCTION ledger_sweep(p_limit bigint) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE s ledger_streams; ending bigint; removed bigint;
    BEGIN
      -- A stream that is being written to, or swept by another process, waits for nobody and nobody for it.
      SELECT * INTO s FROM ledger_streams WHERE swept < floor ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN RETURN 0; END IF;
      ending := s.swept + least(s.floor - s.swept, p_limit);
      DELETE FROM ledger_events WHERE stream_id = s.id AND sequence <= ending;
      GET DIAGNOSTICS removed = ROW_COUNT;
      DELETE FROM ledger_keys WHERE stream_id = s.id AND last <= ending;
      UPDATE ledger_streams SET swept = ending WHERE id = s.id;
      RETURN removed;
    END $$;

    -- A cluster has a name of its own, a recovery begins a timeline, and a database that was loaded from a dump has
    -- another number: none of them is the database that the cursors are of.
    CREATE FUNCTION ledger_identity_now() RETURNS text LANGUAGE plpgsql AS $$
    DECLARE
      place text := (SELECT system_identifier FROM pg_control_system()) || '/' ||
        left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' ||
        (SELECT oid FROM pg_database WHERE datname = current_database());
      found text;
    BEGIN
      SELECT identity INTO found FROM ledger_identity WHERE origin = place;
      IF found IS NOT NULL THEN RETURN found; END IF;
      INSERT INTO ledger_identity VALUES (1, replace(gen_random_uuid()::text, '-', ''), place)
        ON CONFLICT (id) DO UPDATE SET origin = EXCLUDED.origin,
          identity = CASE WHEN ledger_identity.origin = EXCLUDED.origin
            THEN ledger_identity.identity ELSE EXCLUDED.identity END
        RETURNING identity INTO found;
      RETURN found;
    END $$;
    """
}
