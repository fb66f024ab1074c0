-- insider_trades: transactions of insiders as reported on Forms 4 and 5, one row a transaction
-- partition: month by filing_date
-- key: accession_number, sequence
-- sort: ticker, filing_date
-- ranges: ticker
CREATE TABLE insider_trades (
  accession_number VARCHAR NOT NULL,  -- number of the filing
  sequence INTEGER NOT NULL,          -- place of the transaction within the filing
  filing_date DATE NOT NULL,          -- day of the filing
  ticker VARCHAR NOT NULL,            -- ticker of the issuer
  cik VARCHAR NOT NULL,               -- Central Index Key of the insider without leading zeros
  transaction_date DATE NOT NULL,     -- day of the transaction
  transaction_code VARCHAR NOT NULL,  -- P purchase, S sale, A grant, M exercise, …
  security_title VARCHAR,             -- title of the security
  shares DECIMAL(18, 4) NOT NULL,     -- shares
  price DECIMAL(18, 6),               -- price a share in dollars; NULL when none is stated
  is_acquired BOOLEAN NOT NULL,       -- whether shares were acquired, as against disposed of
  shares_after DECIMAL(18, 4)         -- shares owned afterwards
);
