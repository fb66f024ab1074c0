import { type Enumeration, enumeration, shownValues } from './enumeration.ts'
import { Strategy } from './strategies.ts'

/**
 * The shared enumerations of the specification: names, numbers on the wire, and meanings. Responses and filters
 * use the text in `shown`, or the name if the enumeration has no such texts.
 */

export const AnnounceTime = enumeration({
  about: 'When a company announces its earnings, relative to the session',
  values: { Premarket: 0, Postmarket: 1, Unknown: 2 },
  shown: { Premarket: 'premarket', Postmarket: 'postmarket', Unknown: 'unknown' },
})

export const Category = enumeration({
  about: 'Category of a prediction market, derived from the tags of its question',
  values: {
    CRYPTO: 0,
    CULTURE: 1,
    FINANCE: 2,
    GAMES: 3,
    MENTIONS: 4,
    OTHER: 5,
    POLITICS: 6,
    SPORTS: 7,
    WEATHER: 8,
  },
  meanings: { MENTIONS: 'will-X-say-Y markets', OTHER: 'also if the category is unknown' },
  shown: {
    CRYPTO: 'Crypto',
    CULTURE: 'Culture',
    FINANCE: 'Finance',
    GAMES: 'Games',
    MENTIONS: 'Mentions',
    OTHER: 'Other',
    POLITICS: 'Politics',
    SPORTS: 'Sports',
    WEATHER: 'Weather',
  },
})

export const Direction = enumeration({
  about: 'Direction of a position',
  values: { DIRECTION_UNKNOWN: 0, DIRECTION_LONG: 1, DIRECTION_SHORT: 2 },
})

export const ExthourSoldCodes = enumeration({
  about: 'Codes of trades outside the session or reported out of order',
  values: {
    EXTENDED_HOURS_TRADE: 0,
    EXTENDED_HOURS_TRADE_LATE_OR_OUT_OF_SEQUENCE: 1,
    SOLD_LAST: 2,
    SOLD_OUT_OF_SEQUENCE: 3,
    EXTHOUR_SOLD_CODES_EMPTY: 4,
    ESC_EMPTY: 5,
  },
  meanings: { EXTHOUR_SOLD_CODES_EMPTY: 'no code', ESC_EMPTY: 'no code; another name for the same' },
  sentinels: ['EXTHOUR_SOLD_CODES_EMPTY', 'ESC_EMPTY'],
})

export const FlexOptionDelivery = enumeration({
  about: 'Settlement method on exercise of a FLEX option',
  values: { PHYSICAL: 0, CASH: 1 },
  meanings: { PHYSICAL: 'the underlying is delivered' },
})

export const FlexOptionExerciseStyle = enumeration({
  about: 'When a FLEX option may be exercised',
  values: { AMERICAN: 0, EUROPEAN: 1 },
  meanings: {
    AMERICAN: 'on any business day up to and including the expiry',
    EUROPEAN: 'only on the expiry date',
  },
})

export const FlexOptionSettlement = enumeration({
  about: 'Prices that determine the settlement value of a FLEX option',
  values: { AM: 0, PM: 1, ASIAN: 2, CLIQUET: 3 },
  meanings: {
    AM: 'opening prices on the expiry date',
    PM: 'closing prices on the expiry date',
    ASIAN: 'the average of the prices over a period',
    CLIQUET: 'periodic lock-in',
  },
})

export const IntervalType = enumeration({
  about: 'Trades of a ticker that an interval aggregates',
  values: { All: 0, OtmOnly: 1 },
  meanings: {
    All: 'every option trade of the ticker',
    OtmOnly: 'out-of-the-money trades only; sent only for intervals with such trades',
  },
})

export const IssueType = enumeration({
  about: 'Type of a security',
  values: {
    Adr: 0,
    CommonStock: 1,
    Etf: 2,
    Other: 3,
    PreferredStock: 4,
    Right: 5,
    StructuredProduct: 6,
    Unit: 7,
    Warrant: 8,
    Index: 9,
  },
  shown: {
    Adr: 'ADR',
    CommonStock: 'Common Stock',
    Etf: 'ETF',
    Other: 'Other',
    PreferredStock: 'Preferred Stock',
    Right: 'Right',
    StructuredProduct: 'Structured Product',
    Unit: 'Unit',
    Warrant: 'Warrant',
    Index: 'Index',
  },
})

/** Issue types that filters accept. */
export const FILTERED_ISSUE_TYPES = shownValues(IssueType, ['CommonStock', 'Etf', 'Index', 'Adr'])

export const MarketTime = enumeration({
  about: 'Trading session, by New York time',
  values: { PREMARKET: 0, POSTMARKET: 1, REGULAR: 2, UNKNOWN: 3 },
  meanings: {
    PREMARKET: 'before 9:30',
    POSTMARKET: 'after the close: 16:00, or 13:00 on early-close days',
    REGULAR: '9:30 to the close',
    UNKNOWN: 'currently not sent',
  },
})

export const OptionTradeSide = enumeration({
  about: 'Side of an option trade: where it was filled relative to the midpoint of the best bid and offer',
  values: {
    OPTION_TRADE_SIDE_NO: 0,
    OPTION_TRADE_SIDE_ASK: 1,
    OPTION_TRADE_SIDE_BID: 2,
    OPTION_TRADE_SIDE_MID: 3,
  },
})

export const OptionType = enumeration({
  about: 'Type of an option',
  values: { call: 0, put: 1 },
})

export const Sector = enumeration({
  about: 'Sector of a company',
  values: {
    BasicMaterials: 0,
    CommunicationServices: 1,
    ConsumerCyclical: 2,
    ConsumerDefensive: 3,
    Energy: 4,
    FinancialServices: 5,
    Healthcare: 6,
    Industrials: 7,
    RealEstate: 8,
    Technology: 9,
    Utilities: 10,
  },
  shown: {
    BasicMaterials: 'Basic Materials',
    CommunicationServices: 'Communication Services',
    ConsumerCyclical: 'Consumer Cyclical',
    ConsumerDefensive: 'Consumer Defensive',
    Energy: 'Energy',
    FinancialServices: 'Financial Services',
    Healthcare: 'Healthcare',
    Industrials: 'Industrials',
    RealEstate: 'Real Estate',
    Technology: 'Technology',
    Utilities: 'Utilities',
  },
})

export const Side = enumeration({
  about: 'Side of a trade on a prediction market',
  values: { BUYER: 0, SELLER: 1 },
  meanings: {
    BUYER: 'paid quote currency to receive outcome tokens',
    SELLER: 'sold outcome tokens for quote currency',
  },
})

export const SpecialSaleConditionsCodes = enumeration({
  about: 'Special conditions of a trade',
  values: {
    ACQUISITION: 0,
    BUNCHED: 1,
    DISTRIBUTION: 2,
    PRICE_VARIATION_TRANSACTION: 3,
    NASDAQ_OFFICIAL_CLOSE_PRICE: 4,
    PRIOR_REFERENCE_PRICE: 5,
    NASDAQ_OFFICIAL_OPENING_PRICE: 6,
    SPLIT_TRADE: 7,
    CONTINGENT_TRADE: 8,
    AVERAGE_PRICE_TRADE: 9,
    CROSS_TRADE: 10,
    ODD_LOT_EXECUTION: 11,
    ODD_LOT_CROSS_EXECUTION: 12,
    SPECIAL_SALE_CONDITIONS_CODES_EMPTY: 13,
    SSC_EMPTY: 14,
  },
  meanings: {
    SPECIAL_SALE_CONDITIONS_CODES_EMPTY: 'no code',
    SSC_EMPTY: 'no code; another name for the same',
  },
  sentinels: ['SPECIAL_SALE_CONDITIONS_CODES_EMPTY', 'SSC_EMPTY'],
})

export const TideExpiration = enumeration({
  about: 'Expiries that a market tide includes',
  values: { WEEKLY: 0, ZERO_DTE: 1 },
  meanings: {
    WEEKLY: 'expiring later in the same ISO week; the feed excludes trades that expire after that week',
    ZERO_DTE: 'expiring on the same day',
  },
})

export const TideMoneyness = enumeration({
  about: 'Moneyness of the options that a market tide includes',
  values: { ALL_MONEYNESS: 0, ITM: 1, OTM: 2, ATM: 3 },
})

export const TideType = enumeration({
  about: 'Types of underlying that a market tide includes',
  values: { ALL_TYPES: 0, INDEX_ONLY: 1, EQUITY_ONLY: 2, ETF_ONLY: 3 },
})

export const TradeCodes = enumeration({
  about: 'Codes for the type of a trade',
  values: {
    INTERMARKET_SWEEP: 0,
    OPENING_PRINT: 1,
    DERIVATIVE_PRICED: 2,
    RE_OPENING_PRINT: 3,
    CLOSING_PRINT: 4,
    QUALIFIED_CONTINGENT_TRADE: 5,
    TRADE_CODES_EMPTY: 6,
    TC_EMPTY: 7,
  },
  meanings: { TRADE_CODES_EMPTY: 'no code', TC_EMPTY: 'no code; another name for the same' },
  sentinels: ['TRADE_CODES_EMPTY', 'TC_EMPTY'],
})

export const TradeSettlement = enumeration({
  about: 'When a trade settles',
  values: { REGULAR_SETTLEMENT: 0, CASH_SETTLEMENT: 1, NEXT_DAY_SETTLEMENT: 2, SELLER_SETTLEMENT: 3 },
  meanings: {
    CASH_SETTLEMENT: 'on the same day',
    SELLER_SETTLEMENT: 'on a date that the seller chooses within an agreed period',
  },
})

/** All enumerations, by their names in the specification. */
export const ENUMERATIONS: Readonly<Record<string, Enumeration>> = {
  AnnounceTime,
  Category,
  Direction,
  ExthourSoldCodes,
  'FlexOption.Delivery': FlexOptionDelivery,
  'FlexOption.ExerciseStyle': FlexOptionExerciseStyle,
  'FlexOption.Settlement': FlexOptionSettlement,
  IntervalType,
  IssueType,
  MarketTime,
  OptionTradeSide,
  OptionType,
  Sector,
  Side,
  SpecialSaleConditionsCodes,
  TideExpiration,
  TideMoneyness,
  TideType,
  TradeCodes,
  TradeSettlement,
  Strategy,
}
