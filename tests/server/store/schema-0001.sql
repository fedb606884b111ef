-- The schema of version 0.1.0, as SQLite stores it. It never changes: migrations lead on from it.

CREATE TABLE account (
    owner VARCHAR(64) NOT NULL,
    name TEXT NOT NULL,
    name_key VARCHAR(64) NOT NULL,
    passphrase_hash TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    similarity_key VARCHAR(64) NOT NULL,
    PRIMARY KEY (owner),
    UNIQUE (name_key),
    UNIQUE (similarity_key)
);

CREATE TABLE "match" (
    id VARCHAR(32) NOT NULL,
    created_at BIGINT NOT NULL,
    rules TEXT NOT NULL,
    options TEXT NOT NULL,
    held_by VARCHAR(32),
    page_seen_at BIGINT,
    PRIMARY KEY (id)
);

CREATE TABLE rating (
    variant VARCHAR(16) NOT NULL,
    owner VARCHAR(64) NOT NULL,
    mu FLOAT NOT NULL,
    sigma FLOAT NOT NULL,
    games INTEGER NOT NULL,
    opponents INTEGER NOT NULL,
    PRIMARY KEY (variant, owner)
);

CREATE TABLE reserved_username (
    similarity_key VARCHAR(64) NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (similarity_key)
);

CREATE TABLE finished_game (
    match_id VARCHAR(32) NOT NULL,
    game_number INTEGER NOT NULL,
    body TEXT NOT NULL,
    ended_at BIGINT NOT NULL,
    is_rating_done BOOLEAN NOT NULL,
    PRIMARY KEY (match_id, game_number),
    FOREIGN KEY(match_id) REFERENCES "match" (id)
);

CREATE INDEX ix_finished_game_is_rating_done ON finished_game (is_rating_done);

CREATE TABLE game_rating (
    match_id VARCHAR(32) NOT NULL,
    game_number INTEGER NOT NULL,
    owner VARCHAR(64) NOT NULL,
    variant VARCHAR(16) NOT NULL,
    side INTEGER NOT NULL,
    mu FLOAT NOT NULL,
    sigma FLOAT NOT NULL,
    PRIMARY KEY (match_id, game_number, owner),
    FOREIGN KEY(match_id) REFERENCES "match" (id)
);

CREATE INDEX ix_game_rating_owner ON game_rating (owner, variant);

CREATE TABLE game_start (
    match_id VARCHAR(32) NOT NULL,
    game_number INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (match_id, game_number),
    FOREIGN KEY(match_id) REFERENCES "match" (id)
);

CREATE TABLE guest_seat (
    match_id VARCHAR(32) NOT NULL,
    player_number INTEGER NOT NULL,
    PRIMARY KEY (match_id, player_number),
    FOREIGN KEY(match_id) REFERENCES "match" (id)
);

CREATE TABLE hidden_game (
    owner VARCHAR(64) NOT NULL,
    match_id VARCHAR(32) NOT NULL,
    game_number INTEGER NOT NULL,
    PRIMARY KEY (owner, match_id, game_number),
    FOREIGN KEY(match_id) REFERENCES "match" (id)
);

CREATE TABLE history_progress (
    match_id VARCHAR(32) NOT NULL,
    seq INTEGER NOT NULL,
    has_open_game BOOLEAN NOT NULL,
    PRIMARY KEY (match_id),
    FOREIGN KEY(match_id) REFERENCES "match" (id)
);

CREATE TABLE invitation_code (
    match_id VARCHAR(32) NOT NULL,
    player_number INTEGER NOT NULL,
    code VARCHAR(16) NOT NULL,
    PRIMARY KEY (match_id, player_number),
    FOREIGN KEY(match_id) REFERENCES "match" (id),
    UNIQUE (code)
);

CREATE TABLE lobby_listing (
    match_id VARCHAR(32) NOT NULL,
    handle VARCHAR(16) NOT NULL,
    listed_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (match_id),
    FOREIGN KEY(match_id) REFERENCES "match" (id),
    UNIQUE (handle)
);

CREATE INDEX ix_lobby_listing_listed_at ON lobby_listing (listed_at);

CREATE TABLE log_row (
    match_id VARCHAR(32) NOT NULL,
    seq INTEGER NOT NULL,
    type VARCHAR(16) NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT,
    PRIMARY KEY (match_id, seq),
    FOREIGN KEY(match_id) REFERENCES "match" (id)
);

CREATE TABLE mistake (
    owner VARCHAR(64) NOT NULL,
    match_id VARCHAR(32) NOT NULL,
    game_number INTEGER NOT NULL,
    step INTEGER NOT NULL,
    due_at BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (owner, match_id, game_number, step),
    FOREIGN KEY(match_id) REFERENCES "match" (id)
);

CREATE INDEX ix_mistake_due_at ON mistake (due_at);

CREATE TABLE player (
    match_id VARCHAR(32) NOT NULL,
    player_number INTEGER NOT NULL,
    name TEXT NOT NULL,
    level VARCHAR(32),
    invitation VARCHAR(64),
    owner VARCHAR(64),
    PRIMARY KEY (match_id, player_number),
    FOREIGN KEY(match_id) REFERENCES "match" (id)
);

CREATE INDEX ix_player_owner ON player (owner);

CREATE TABLE review (
    match_id VARCHAR(32) NOT NULL,
    game_number INTEGER NOT NULL,
    engine VARCHAR(64) NOT NULL,
    body TEXT NOT NULL,
    findings BLOB,
    PRIMARY KEY (match_id, game_number),
    FOREIGN KEY(match_id) REFERENCES "match" (id)
);

CREATE TABLE searched_game (
    owner VARCHAR(64) NOT NULL,
    match_id VARCHAR(32) NOT NULL,
    game_number INTEGER NOT NULL,
    PRIMARY KEY (owner, match_id, game_number),
    FOREIGN KEY(match_id) REFERENCES "match" (id)
);

CREATE TABLE signed_in_browser (
    token_hash VARCHAR(64) NOT NULL,
    owner VARCHAR(64) NOT NULL,
    device VARCHAR(64) NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (token_hash),
    FOREIGN KEY(owner) REFERENCES account (owner)
);

CREATE INDEX ix_signed_in_browser_owner ON signed_in_browser (owner);

CREATE TABLE taken_seat (
    match_id VARCHAR(32) NOT NULL,
    player_number INTEGER NOT NULL,
    browser VARCHAR(8) NOT NULL,
    address VARCHAR(8) NOT NULL,
    taken_at BIGINT NOT NULL,
    has_opened_page BOOLEAN NOT NULL,
    previous_name TEXT NOT NULL,
    PRIMARY KEY (match_id, player_number),
    FOREIGN KEY(match_id) REFERENCES "match" (id)
);

CREATE INDEX ix_taken_seat_has_opened_page ON taken_seat (has_opened_page);
