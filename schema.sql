-- The whole current schema: read this first, it is the data model.
-- Times are Unix milliseconds, UTC. The upper bound is the last one of the year 9999.
-- No function of ours is used here: any sqlite3 shell can open and write the file.
PRAGMA application_id = 0x68656262;  -- 'hebb'
PRAGMA user_version = 5;

CREATE TABLE memory (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,  -- what people type; never reused
    uid              TEXT NOT NULL UNIQUE CHECK (uid <> ''),  -- survives export and merge
    partition        TEXT NOT NULL
        CHECK (partition GLOB 'mem_?*' AND partition NOT GLOB '*[^a-z0-9_]*'),
    content_digest   INTEGER NOT NULL,  -- 64 bits of a hash of content: finds exact duplicates
    kind             TEXT,  -- event, fact, howto, preference, or the user's own word
    importance       REAL NOT NULL DEFAULT 5 CHECK (importance BETWEEN 0 AND 10),  -- 0: no bonus
    strength         REAL NOT NULL DEFAULT 1 CHECK (strength > 0),  -- cortexgraph, memorybank
    access_count     INTEGER NOT NULL DEFAULT 0 CHECK (access_count >= 0),  -- real use only
    frequency        REAL NOT NULL DEFAULT 0 CHECK (frequency >= 0),  -- jarvis
    created_at       INTEGER NOT NULL CHECK (created_at BETWEEN 0 AND 253402300799999),
    last_accessed_at INTEGER NOT NULL CHECK (last_accessed_at BETWEEN 0 AND 253402300799999),
    renewed_at       INTEGER CHECK (renewed_at BETWEEN 0 AND 253402300799999),  -- passive, no use
    source           TEXT,
    scope            TEXT NOT NULL DEFAULT 'global' CHECK (scope <> ''),  -- a name
    scope_kind       TEXT NOT NULL DEFAULT 'global'
        CHECK (scope_kind IN ('session', 'project', 'global')),
    session          TEXT,  -- the conversation it was said in; its order is created_at, id
    key              TEXT CHECK (key <> ''),  -- what it is about
    trusted          INTEGER NOT NULL DEFAULT 1 CHECK (trusted IN (0, 1)),
    pinned           INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    ttl_ms           INTEGER CHECK (ttl_ms > 0),  -- sliding; NULL: as the policy says
    expires_at       INTEGER CHECK (expires_at BETWEEN 0 AND 253402300799999),  -- fixed
    promoted_at      INTEGER CHECK (promoted_at BETWEEN 0 AND 253402300799999),
    archived_at      INTEGER CHECK (archived_at BETWEEN 0 AND 253402300799999),  -- NULL: live
    archived_reason  TEXT CHECK (archived_reason IN ('swept', 'by hand', 'superseded')),
    sweep_id         INTEGER REFERENCES sweep (id),  -- the sweep that archived it
    superseded_by    INTEGER REFERENCES memory (id) ON DELETE SET NULL,
    anchor_value     REAL CHECK (anchor_value BETWEEN 0 AND 1),  -- jarvis: retention at anchor_at
    anchor_at        INTEGER CHECK (anchor_at BETWEEN 0 AND 253402300799999),
    metadata         TEXT NOT NULL DEFAULT '{}' CHECK (json_type(metadata) = 'object'),
    content          TEXT NOT NULL CHECK (content <> ''),  -- last: a long one is read only if asked
    CHECK ((archived_at IS NULL) = (archived_reason IS NULL)),
    CHECK ((anchor_at IS NULL) = (anchor_value IS NULL))
) STRICT;

-- The sweep: equal (partition, importance, access_count, strength) share one lifetime, so it seeks
-- one range of last_accessed_at per group. The columns after it make it covering, no more.
CREATE INDEX memory_sweep
ON memory (
    partition, importance, access_count, strength, last_accessed_at,
    promoted_at, archived_at, pinned, ttl_ms, renewed_at, anchor_at
)
WHERE archived_at IS NULL
  AND pinned = 0
  AND ttl_ms IS NULL
  AND renewed_at IS NULL
  AND anchor_at IS NULL;

-- The few that share it with no other, with all that decides of their end.
CREATE INDEX memory_own_clock
ON memory (
    partition, importance, access_count, strength, last_accessed_at,
    promoted_at, archived_at, pinned, ttl_ms, renewed_at, anchor_at, anchor_value
)
WHERE archived_at IS NULL
  AND pinned = 0
  AND (ttl_ms IS NOT NULL OR renewed_at IS NOT NULL OR anchor_at IS NOT NULL);

-- The other ends of a memory. Few rows have one, so these stay small.
CREATE INDEX memory_expiry ON memory (expires_at)
WHERE archived_at IS NULL AND expires_at IS NOT NULL;
CREATE INDEX memory_lifetime ON memory (partition, created_at)
WHERE archived_at IS NULL AND pinned = 0 AND promoted_at IS NULL;
CREATE INDEX memory_archive ON memory (archived_at) WHERE archived_at IS NOT NULL;
CREATE INDEX memory_swept ON memory (sweep_id) WHERE sweep_id IS NOT NULL;

-- What was created on the days that a question names.
CREATE INDEX memory_created ON memory (created_at);

-- Names in use, found by one seek each.
CREATE INDEX memory_scope ON memory (scope);
CREATE INDEX memory_kind ON memory (kind) WHERE kind IS NOT NULL;

CREATE INDEX memory_digest ON memory (content_digest);
CREATE INDEX memory_session ON memory (session, created_at, id) WHERE session IS NOT NULL;
CREATE INDEX memory_successor ON memory (superseded_by) WHERE superseded_by IS NOT NULL;

-- At most one current trusted memory is about a key in a scope.
CREATE UNIQUE INDEX memory_key ON memory (scope, key)
WHERE key IS NOT NULL AND trusted = 1 AND archived_at IS NULL;

CREATE TABLE tag (
    memory_id INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
    name      TEXT NOT NULL CHECK (name <> ''),
    PRIMARY KEY (memory_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_name ON tag (name, memory_id);

-- A memory as it is shown: with its tags, and its successor by uid.
CREATE VIEW memory_record AS
SELECT
    memory.*,
    (SELECT json_group_array(name) FROM tag WHERE memory_id = memory.id) AS tags,
    (SELECT uid FROM memory AS later WHERE later.id = memory.superseded_by) AS successor_uid
FROM memory;

-- Two memories used together. The weight holds at last_updated and halves every 30 days after.
CREATE TABLE edge (
    memory_a     INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
    memory_b     INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
    weight       REAL NOT NULL CHECK (weight >= 0),
    last_updated INTEGER NOT NULL CHECK (last_updated BETWEEN 0 AND 253402300799999),
    PRIMARY KEY (memory_a, memory_b),
    CHECK (memory_a < memory_b)
) STRICT, WITHOUT ROWID;
CREATE INDEX edge_back ON edge (memory_b, memory_a);

CREATE TABLE vector (
    memory_id INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
    model     TEXT NOT NULL,  -- vectors of different models are never compared
    size      INTEGER NOT NULL CHECK (size > 0),  -- how many numbers
    scale     REAL NOT NULL,  -- number = byte * scale
    numbers   BLOB NOT NULL CHECK (length(numbers) = size),  -- int8, one byte each
    PRIMARY KEY (memory_id, model)
) STRICT, WITHOUT ROWID;

-- Every run of the sweep that took something.
CREATE TABLE sweep (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    started_at INTEGER NOT NULL,
    actor      TEXT NOT NULL,  -- cli, cron, mcp, rest
    threshold  REAL,  -- NULL: each policy's own
    partition  TEXT,  -- NULL: all of them
    archived   INTEGER NOT NULL DEFAULT 0,
    erased     INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Who did what to which memory, and why. Of a content only a hash under the key in hebb.key.
CREATE TABLE audit (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    at           INTEGER NOT NULL,
    actor        TEXT NOT NULL,  -- cli, cron, mcp, rest
    action       TEXT NOT NULL,  -- archive, erase, restore, promote, setting, ...
    reason       TEXT,
    memory_id    INTEGER,  -- no reference: the memory may be gone
    uid          TEXT,
    sweep_id     INTEGER,
    content_hash TEXT,
    policy       TEXT CHECK (policy IS NULL OR json_valid(policy)),  -- the figures of the moment
    copy         TEXT CHECK (copy IS NULL OR json_valid(copy))  -- the memory, if restorable
) STRICT;
CREATE INDEX audit_memory ON audit (memory_id) WHERE memory_id IS NOT NULL;
CREATE INDEX audit_uid ON audit (uid) WHERE uid IS NOT NULL;

-- What was erased and must not come back by import or sync. Kept apart from the audit: never trimmed.
CREATE TABLE tombstone (
    uid       TEXT PRIMARY KEY,
    erased_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Whose text was replaced: copies made before hold the old one. Never trimmed, as tombstones.
CREATE TABLE edited (
    memory_id INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE
) STRICT;

-- 'text_version': the preparation that made memory_text. 'erasure_pending': erased
-- words may still be in the index's or the log's free space; the next run finishes it.
-- 'copies_pending ...': a run that erased and has not reached every copy; 'copies_left': the
-- copies that could not be reached. 'backups': copies made elsewhere. 'backup_made_at': in a
-- copy, when it was made. 'setting_pending': a change of hebb.json that has no audit row yet.
-- 'injections': what 'hebb inject' took so far, where it renews. 'vectors_rebuilt': the model
-- whose vectors are being made anew, and the last memory that has its new one.
CREATE TABLE state (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The index of content, live and archived, fed with prepared text (hebbctl.text) under the
-- memory's id. It holds no copy of the text, so a deletion must be given exactly what was indexed.
CREATE VIRTUAL TABLE memory_text
USING fts5 (
    words,
    content = '',
    tokenize = "porter unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'"
);
