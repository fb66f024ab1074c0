-- insider_trades: transactions of insiders as reported on SEC Forms 4 and 5, one row per transaction
-- partition: month by filing_date
-- key: accession_number, sequence
-- sort: ticker, filing_date
-- ranges: ticker
-- known: filing_date; exact to the day
CREATE TABLE insider_trades (
  accession_number VARCHAR NOT NULL,  -- accession number of the filing
  sequence INTEGER NOT NULL,          -- position of the transaction in the filing
  filing_date DATE NOT NULL,          -- date of the filing
  ticker VARCHAR NOT NULL,            -- ticker of the issuer
  cik VARCHAR NOT NULL,               -- Central Index Key (CIK) of the insider, without leading zeros
  transaction_date DATE NOT NULL,     -- date of the transaction
  transaction_code VARCHAR NOT NULL,  -- P purchase, S sale, A grant, M exercise, …
  security_title VARCHAR,             -- title of the security
  shares DECIMAL(18, 4) NOT NULL,     -- number of shares
  price DECIMAL(18, 6),               -- price per share in dollars; NULL if not stated
  is_acquired BOOLEAN NOT NULL,       -- whether the shares were acquired (true) or disposed of (false)
  shares_after DECIMAL(18, 4)         -- shares owned after the transaction
);
