-- `as_of` is the time before the row was requested: no older response replaces it. `gone_at` marks deleted rows.

create table if not exists conversations (
  id uuid primary key,
  pipeline_id uuid,
  lead_id uuid,
  channel text,
  status text,
  priority text,
  last_message_at timestamptz,
  created_at timestamptz,
  as_of timestamptz not null,
  gone_at timestamptz
);

create table if not exists messages (
  id uuid primary key,
  conversation_id uuid not null references conversations,
  sender_type text,
  direction text,
  message_type text,
  content text,
  created_at timestamptz
);

create index if not exists messages_by_conversation on messages (conversation_id, created_at);

create table if not exists leads (
  id uuid primary key,
  pipeline_id uuid,
  phone text,
  display_name text,
  email text,
  source text,
  status text,
  created_at timestamptz,
  as_of timestamptz not null,
  gone_at timestamptz
);

create table if not exists checkpoints (name text primary key, value text not null);
