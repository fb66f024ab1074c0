/** No request says where a page begins or ends: test/operations/catalog/contract-flow-pages.test.ts reads pages. */
const PAGES = 'about where a page begins or ends, which no request says'

/**
 * Mutations of templates that no answer can show, each with the reason why. The key is the template's name, a colon
 * and the mutation's.
 */
export const EQUIVALENT: Readonly<Record<string, string>> = {
  'crypto-ohlc: without (date >= $from)':
    'leaves out what is older than the candles asked for; where files are pruned, it keeps half-read buckets out',
  'analytics-window: sorted the other way by ticker': 'the answer lists symbols in the order of the request',
  'analytics-window: without list_contains($symbols, ticker)':
    'only saves work: of the rows, one a symbol, the answer takes those that are asked for',
  'analytics-window: without ($minutes IS NOT NULL)':
    'a request by the day is given no files of minutes; it is for templates run by hand over all files',
  'contract-flow: without (($after_time IS NULL) OR (executed_at <= $after_time))': PAGES,
  'contract-flow: without (($after_time IS NULL) OR (executed_at < $after_time) OR (id > $after_id))': PAGES,
  'contract-flow: without (($until_time IS NULL) OR (executed_at >= $until_time))': PAGES,
  'contract-flow: without (executed_at <= $after_time)': PAGES,
  'contract-flow: flipped (executed_at <= $after_time)': PAGES,
  'contract-flow: without (executed_at < $after_time)': PAGES,
  'contract-flow: without (id > $after_id)': PAGES,
  'contract-flow: flipped (executed_at < $after_time)': PAGES,
  'contract-flow: flipped (id > $after_id)': PAGES,
  'contract-flow: without (executed_at >= $until_time)': PAGES,
  'contract-flow: flipped (executed_at >= $until_time)': PAGES,
  "contract-flow: joined without CAST('t' AS BOOLEAN)":
    'the lateral join has its conditions within; what it is joined on is true with or without the mutation',
}
