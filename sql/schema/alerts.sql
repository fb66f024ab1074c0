-- alerts: notifications sent by alert configurations, one row per notification
-- partition: day by date
-- key: id
-- sort: created_at, id
-- ranges: symbol
-- known: created_at; exact
CREATE TABLE alerts (
  id UUID NOT NULL,                   -- alert id
  date DATE NOT NULL,                 -- date of created_at, UTC
  user_noti_config_id UUID NOT NULL,  -- configuration that raised the notification
  name VARCHAR NOT NULL,              -- name of the alert
  noti_type VARCHAR NOT NULL,         -- type of notification, e.g. flow_alerts
  symbol VARCHAR NOT NULL,            -- stock ticker or option symbol, depending on symbol_type
  symbol_type VARCHAR NOT NULL,       -- stock or option_chain
  created_at TIMESTAMP NOT NULL,      -- creation time, UTC, microseconds
  tape_time TIMESTAMP NOT NULL,       -- time of the event on the tape, UTC, microseconds
  meta VARCHAR NOT NULL,              -- raw alert data as a JSON object; its members depend on noti_type
  owner VARCHAR                       -- owner of the notification, the only one who may read it besides admins; NULL: visible to every token with access to the route
);
