BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0010');
CREATE TABLE coverage (
	id INTEGER NOT NULL, 
	source VARCHAR NOT NULL, 
	repo VARCHAR NOT NULL, 
	starts_at DATETIME NOT NULL, 
	ends_at DATETIME NOT NULL, 
	collected_at DATETIME NOT NULL, 
	complete BOOLEAN NOT NULL, 
	default_branch VARCHAR NOT NULL, 
	head VARCHAR NOT NULL, 
	body BLOB NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "coverage" VALUES(7,'text','text','2026-02-12 00:00:00.000000','2026-02-12 00:00:00.000000','2026-02-12 00:00:00.000000',0,'text','text',X'3D78');
CREATE TABLE delivery (
	id INTEGER NOT NULL, 
	subscription_id INTEGER NOT NULL, 
	local_date DATE NOT NULL, 
	platform VARCHAR NOT NULL, 
	workspace VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	lease_until DATETIME NOT NULL, 
	tries INTEGER NOT NULL, 
	retry_at DATETIME, 
	complete BOOLEAN NOT NULL, 
	body BLOB NOT NULL, silent BOOLEAN, 
	PRIMARY KEY (id), 
	UNIQUE (subscription_id, local_date)
);
INSERT INTO "delivery" VALUES(7,7,'2026-02-12','text','text','text','text','text','2026-02-12 00:00:00.000000',7,'2026-02-12 00:00:00.000000',0,X'3D78',0);
CREATE TABLE digest (
	source VARCHAR NOT NULL, 
	repo VARCHAR NOT NULL, 
	starts_at DATETIME NOT NULL, 
	ends_at DATETIME NOT NULL, 
	tz VARCHAR NOT NULL, 
	label VARCHAR NOT NULL, 
	partial BOOLEAN NOT NULL, 
	final BOOLEAN NOT NULL, 
	collected_at DATETIME NOT NULL, 
	body BLOB NOT NULL, 
	PRIMARY KEY (source, repo, starts_at, ends_at, tz)
);
INSERT INTO "digest" VALUES('text','text','2026-02-12 00:00:00.000000','2026-02-12 00:00:00.000000','text','text',0,0,'2026-02-12 00:00:00.000000',X'3D78');
CREATE TABLE follow_up (
	id INTEGER NOT NULL, 
	platform VARCHAR NOT NULL, 
	workspace VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	item_key VARCHAR NOT NULL, 
	body BLOB NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (platform, workspace, channel, item_key)
);
INSERT INTO "follow_up" VALUES(7,'text','text','text','text',X'3D78');
CREATE TABLE hold (
	name VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	until DATETIME NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "hold" VALUES('text','text','2026-02-12 00:00:00.000000');
CREATE TABLE http_answer (
	"key" VARCHAR NOT NULL, 
	etag VARCHAR NOT NULL, 
	link VARCHAR NOT NULL, 
	permanent BOOLEAN NOT NULL, 
	checked_at DATETIME NOT NULL, 
	body BLOB NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "http_answer" VALUES('text','text','text',0,'2026-02-12 00:00:00.000000',X'3D78');
CREATE TABLE item (
	source VARCHAR NOT NULL, 
	repo VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	whole BOOLEAN NOT NULL, 
	reverting BOOLEAN NOT NULL, 
	collected_at DATETIME NOT NULL, 
	body BLOB NOT NULL, 
	PRIMARY KEY (source, repo, "key")
);
INSERT INTO "item" VALUES('text','text','text','text',0,0,'2026-02-12 00:00:00.000000',X'3D78');
CREATE TABLE item_time (
	source VARCHAR NOT NULL, 
	repo VARCHAR NOT NULL, 
	at DATETIME NOT NULL, 
	"key" VARCHAR NOT NULL, 
	PRIMARY KEY (source, repo, at, "key")
);
INSERT INTO "item_time" VALUES('text','text','2026-02-12 00:00:00.000000','text');
CREATE TABLE kept_value (
	short VARCHAR NOT NULL, 
	body BLOB NOT NULL, kept_at DATETIME, 
	PRIMARY KEY (short)
);
INSERT INTO "kept_value" VALUES('text',X'3D78','2026-02-12 00:00:00.000000');
CREATE TABLE model_answer (
	"key" VARCHAR NOT NULL, 
	repo VARCHAR NOT NULL, 
	about VARCHAR NOT NULL, 
	task VARCHAR NOT NULL, 
	model VARCHAR NOT NULL, 
	asked_at DATETIME NOT NULL, 
	body BLOB NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "model_answer" VALUES('text','text','text','text','text','2026-02-12 00:00:00.000000',X'3D78');
CREATE TABLE model_claim (
	"key" VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	sign INTEGER NOT NULL, 
	taken_at DATETIME NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "model_claim" VALUES('text','text',7,'2026-02-12 00:00:00.000000');
CREATE TABLE model_endpoint (
	endpoint VARCHAR NOT NULL, 
	model VARCHAR NOT NULL, 
	form VARCHAR NOT NULL, 
	PRIMARY KEY (endpoint, model)
);
INSERT INTO "model_endpoint" VALUES('text','text','text');
CREATE TABLE model_spending (
	day VARCHAR NOT NULL, 
	model VARCHAR NOT NULL, 
	calls INTEGER NOT NULL, 
	input_tokens INTEGER NOT NULL, 
	output_tokens INTEGER NOT NULL, 
	PRIMARY KEY (day, model)
);
INSERT INTO "model_spending" VALUES('text','text',7,7,7);
CREATE TABLE named_moment (
	name VARCHAR NOT NULL, 
	at DATETIME NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "named_moment" VALUES('text','2026-02-12 00:00:00.000000');
CREATE TABLE post (
	id INTEGER NOT NULL, 
	delivery_id INTEGER, 
	platform VARCHAR NOT NULL, 
	workspace VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	thread INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	state VARCHAR NOT NULL, 
	ref VARCHAR NOT NULL, 
	item_key VARCHAR NOT NULL, 
	body BLOB NOT NULL, kept_at DATETIME, 
	PRIMARY KEY (id)
);
INSERT INTO "post" VALUES(7,7,'text','text','text',7,7,'text','text','text',X'3D78','2026-02-12 00:00:00.000000');
CREATE TABLE process (
	owner VARCHAR NOT NULL, 
	seen_at DATETIME NOT NULL, 
	body BLOB NOT NULL, 
	PRIMARY KEY (owner)
);
INSERT INTO "process" VALUES('text','2026-02-12 00:00:00.000000',X'3D78');
CREATE TABLE question (
	platform VARCHAR NOT NULL, 
	workspace VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	message VARCHAR NOT NULL, 
	body BLOB NOT NULL, 
	PRIMARY KEY (platform, workspace, channel, message)
);
INSERT INTO "question" VALUES('text','text','text','text',X'3D78');
CREATE TABLE seen_event (
	platform VARCHAR NOT NULL, 
	event_id VARCHAR NOT NULL, 
	at DATETIME NOT NULL, 
	PRIMARY KEY (platform, event_id)
);
INSERT INTO "seen_event" VALUES('text','text','2026-02-12 00:00:00.000000');
CREATE TABLE source_record (
	subscription_id INTEGER NOT NULL, 
	repo VARCHAR NOT NULL, 
	body BLOB NOT NULL, 
	PRIMARY KEY (subscription_id, repo)
);
INSERT INTO "source_record" VALUES(7,'text',X'3D78');
CREATE TABLE story (
	source VARCHAR NOT NULL, 
	repo VARCHAR NOT NULL, 
	starts_at DATETIME NOT NULL, 
	ends_at DATETIME NOT NULL, 
	place INTEGER NOT NULL, 
	body BLOB NOT NULL, 
	PRIMARY KEY (source, repo, starts_at, ends_at, place)
);
INSERT INTO "story" VALUES('text','text','2026-02-12 00:00:00.000000','2026-02-12 00:00:00.000000',7,X'3D78');
CREATE TABLE subscription (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	platform VARCHAR NOT NULL, 
	workspace VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	paused BOOLEAN NOT NULL, 
	body BLOB NOT NULL, next_due_at DATETIME, told_until DATETIME, 
	UNIQUE (platform, workspace, channel)
);
INSERT INTO "subscription" VALUES(7,'text','text','text',0,X'3D78','2026-02-12 00:00:00.000000','2026-02-12 00:00:00.000000');
CREATE TABLE told_item (
	source VARCHAR NOT NULL, 
	repo VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	at DATETIME NOT NULL, 
	score INTEGER NOT NULL, 
	collected_at DATETIME NOT NULL, 
	title_words VARCHAR NOT NULL, 
	words VARCHAR NOT NULL, 
	body BLOB NOT NULL, 
	PRIMARY KEY (source, repo, "key")
);
INSERT INTO "told_item" VALUES('text','text','text','2026-02-12 00:00:00.000000',7,'2026-02-12 00:00:00.000000','text','text',X'3D78');
CREATE TABLE watched_repo (
	alias VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	added_at DATETIME NOT NULL, 
	PRIMARY KEY (alias)
);
INSERT INTO "watched_repo" VALUES('text','text','text','2026-02-12 00:00:00.000000');
CREATE INDEX ix_item_time_key ON item_time ("key");
CREATE INDEX ix_coverage_source ON coverage (source);
CREATE INDEX ix_coverage_repo ON coverage (repo);
CREATE INDEX ix_told_item_at ON told_item (at);
CREATE INDEX ix_delivery_state ON delivery (state);
CREATE INDEX ix_post_delivery_id ON post (delivery_id);
CREATE INDEX ix_post_ref ON post (platform, workspace, channel, ref);
CREATE INDEX ix_post_item ON post (platform, workspace, channel, item_key);
CREATE INDEX ix_seen_event_at ON seen_event (at);
CREATE INDEX ix_model_answer_about ON model_answer (about);
CREATE INDEX ix_model_answer_asked_at ON model_answer (asked_at);
CREATE INDEX ix_named_moment_at ON named_moment (at);
CREATE INDEX ix_delivery_state_date ON delivery (state, local_date);
CREATE INDEX ix_post_state ON post (platform, state);
CREATE INDEX ix_subscription_next_due_at ON subscription (next_due_at);
CREATE INDEX ix_subscription_told_until ON subscription (told_until);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('subscription',7);
COMMIT;
