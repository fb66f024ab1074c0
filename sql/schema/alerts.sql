-- alerts: notifications that alert configurations raised, one row a notification
-- partition: day by date
-- key: id
-- sort: created_at, id
-- ranges: symbol
CREATE TABLE alerts (
  id UUID NOT NULL,                   -- alert id
  date DATE NOT NULL,                 -- day of created_at, UTC
  user_noti_config_id UUID NOT NULL,  -- configuration that raised it
  name VARCHAR NOT NULL,              -- name of the alert
  noti_type VARCHAR NOT NULL,         -- kind of notification, e.g. flow_alerts
  symbol VARCHAR NOT NULL,            -- stock ticker or option contract, by kind
  symbol_type VARCHAR NOT NULL,       -- stock or option_chain
  created_at TIMESTAMP NOT NULL,      -- time of creation, UTC, microseconds
  tape_time TIMESTAMP NOT NULL,       -- time on the tape, UTC, microseconds
  meta VARCHAR NOT NULL,              -- raw data of the alert as a JSON object, open by kind
  owner VARCHAR                       -- who may see it; NULL: everyone with the route
);
