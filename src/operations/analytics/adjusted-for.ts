/** What the prices of a symbol in a window are adjusted for. */
export const ADJUSTED_FOR = ['raw', 'splits', 'splits_and_dividends'] as const
export type AdjustedFor = (typeof ADJUSTED_FOR)[number]
