/**
 * The fields of all answers as the specification and the decisions define them, typed in by hand: per operation the
 * objects of its answer by path, `[]` after arrays, and the fields of each in their order. Fields of one type follow
 * it, separated by blanks; `;` ends them. `?` after a type: the field may be null; `[]`: an array.
 */
export const SPECIFIED_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'screener-option-contracts': {
    'data[]': `
      string option_symbol ticker_symbol option_type; string(dec) strike; date expiry; integer volume;
      integer? open_interest prev_oi; integer trades; string(dec) premium; string(dec)? avg_price open high
      low close chain_prev_close; ts? last_fill; integer ask_side_volume bid_side_volume mid_volume
      no_side_volume sweep_volume floor_volume cross_volume multileg_volume stock_multi_leg_volume
      total_ask_changes total_bid_changes ticker_vol; string(dec)? stock_price bid ask iv delta gamma theta
      vega roc; integer days_of_oi_increases days_of_vol_greater_than_oi; string(dec)? ask_side_perc_7_day
      bid_side_perc_7_day; boolean is_new; string? issue_type; string(dec)? marketcap; integer dte;
      string(dec)? ticker_30_d_avg_volume contract_30_d_avg_volume; string sector; date? next_earnings_date;
      string er_time
    `,
  },
  'institution-holdings': {
    'data[]': `
      string ticker; string? full_name sector; string security_type; string? put_call; date date first_buy;
      string(dec)? price_first_buy; integer units units_change; integer[] historical_units; integer value;
      string(dec)? avg_price close shares_outstanding; number? perc_of_share_value perc_of_total
    `,
  },
  alerts: {
    'data[]': `
      string(UUID) id user_noti_config_id; string name noti_type symbol symbol_type; ts created_at tape_time;
      object meta
    `,
  },
  'contract-volume-profile': {
    'data[]': `
      string(dec) price; date date; integer volume transactions ask_vol bid_vol mid_vol cross_vol floor_vol
      sweep_vol multi_vol
    `,
  },
  'volume-oi-expiry': {
    'data[]': 'date expires; integer? oi; integer volume',
  },
  'congress-politicians': {
    'data[]': `
      string(UUID) politician_id; string name reporter member_type; boolean is_active; string? issuer ticker;
      string txn_type amounts; date transaction_date filed_at_date; string? notes
    `,
  },
  'institution-sectors': {
    'data[]': `
      date report_date; string? sector; string(dec) value; integer positions positions_closed
      positions_decreased positions_increased
    `,
  },
  'analytics-window': {
    data: 'object? meta payload',
    'data.meta': 'string symbols min_dt max_dt ohlc interval',
    'data.payload': 'object RETURNS_CALCULATIONS',
  },
  'congress-late-reports': {
    'data[]': `
      string(UUID) politician_id; string name reporter member_type; boolean is_active; string? issuer ticker;
      string txn_type amounts; date transaction_date filed_at_date; string? notes
    `,
  },
  'etf-info': {
    data: `
      string name; string? etf_company domicile description; string(URL)? website; date? inception_date;
      string(dec)? expense_ratio; integer? holdings_count; string(dec)? aum; boolean? has_options;
      string(dec)? avg30_volume; integer? stock_vol opt_vol call_vol put_vol
    `,
  },
  'option-stance': {
    '': 'date? as_of_date; string stance ticker disclaimer; object context',
    context: 'number? iv_30d iv_percentile iv_rank stock_price',
    'data[]': `
      string option_symbol option_type; number strike; date expires; integer dte; number? fit_score; object?
      components; string[] explanation; object rank_metric; number? pop roc delta gamma theta vega iv; number
      premium; number? avg_price; integer volume; integer? open_interest; date? next_earnings_date; boolean
      earnings_before_expiry
    `,
    'data[].components': 'number iv_regime greeks_fit dte_fit liquidity earnings_timing',
    'data[].rank_metric': 'string name; number? value',
  },
  'insider-buy-sells': {
    'data[]': `
      date filing_date; integer purchases; string(dec) purchases_notional; integer sells; string(dec)
      sells_notional
    `,
  },
  'crypto-ohlc': {
    'data[]': 'string pair; string(dec) open high low close volume; ts start_time timestamp',
  },
  insiders: {
    'data[]': `
      integer id; string cik name display_name name_slug; boolean is_person; string(URL)? logo_url;
      string(URL)[] social_links; string ticker
    `,
  },
  'oi-per-expiry': {
    'data[]': 'date date expiry; integer? call_oi put_oi',
  },
  economy: {
    data: 'string name unit interval',
    'data.data[]': 'date date; number? value',
  },
  'darkpool-price-levels': {
    '': 'date? date',
    'data[]': 'string(dec) price; integer dark_pool_volume regular_volume',
  },
  'prediction-insiders': {
    data: 'string[] categories; object[] tag_info',
    'data.data[]': `
      string asset_id question outcome category; string(dec) avg_price current_price pnl_percent
      total_invested_usd invested_zscore; integer n_positions days_since_first_trade
      days_since_first_trade_overall; ts(ms) first_trade_at created_at; ts(ms)? resolves; string(URL)? image;
      string[] tags; string(dec) tags_score; string user_address
    `,
    'data.tag_info[]': 'string(dec) score; string tag',
  },
  'contract-flow': {
    'data[]': `
      string(UUID) id; string option_chain_id underlying_symbol option_type; string(dec) strike; date expiry;
      ts(us) executed_at; string(dec) price; integer size; string(dec) premium; integer volume; integer?
      open_interest; string(dec)? underlying_price; string? exchange; boolean canceled is_agg; integer ask_vol
      bid_vol mid_vol no_side_vol multi_vol stock_multi_vol; string(dec)? nbbo_bid nbbo_ask; integer?
      nbbo_bid_size nbbo_ask_size; ts? nbbo_bid_time nbbo_ask_time; string(dec)? ewma_nbbo_bid ewma_nbbo_ask
      delta gamma theta vega rho theo implied_volatility; string? flow_alert_id rule_id; string[] tags
      report_flags; string? upstream_condition_detail full_name industry_type issue_type sector; string(dec)?
      marketcap; string? er_time; date? next_earnings_date
    `,
  },
  greeks: {
    'data[]': `
      string(dec) strike; date date expiry; string? call_option_symbol; string(dec)? call_delta call_gamma
      call_theta call_vega call_rho call_charm call_vanna call_volatility; string? put_option_symbol;
      string(dec)? put_delta put_gamma put_theta put_vega put_rho put_charm put_vanna put_volatility
    `,
  },
  'fec-companies': {
    '': 'integer cycle limit page',
    'data[]': `
      string company_name ticker; integer cycle pac_count pac_contribution_count; string(dec) pac_total
      pac_dem_total pac_rep_total other_total; integer? employee_contribution_count; string(dec)?
      employee_total_estimated employee_dem_total employee_rep_total lobbying_total
    `,
  },
  'potus-posts': {
    'data[]': 'string post; integer timestamp',
  },
  'flow-alerts': {
    'data[]': `
      string alert_rule ticker option_chain type; string(dec) strike; date expiry; integer expiry_count;
      string? issue_type; ts(us) created_at; string(dec) price; string(dec)? underlying_price; integer?
      open_interest; integer volume; string(dec) volume_oi_ratio; integer total_size trade_count; string(dec)
      total_premium total_ask_side_prem total_bid_side_prem; boolean all_opening_trades has_floor has_sweep
      has_multileg has_singleleg
    `,
  },
  institutions: {
    'data[]': `
      string? name short_name; string cik; string? description; string(URL)? website logo_url founder_img_url;
      string[] people tags; boolean is_hedge_fund; date date filing_date; string(dec) total_value share_value
      call_value put_value fund_value pfd_value debt_value warrant_value buy_value sell_value share_holdings
      call_holdings put_holdings fund_holdings pfd_holdings debt_holdings warrant_holdings
    `,
  },
  'etf-holdings': {
    'data[]': `
      string ticker name; string? short_name type; string sector; boolean? has_options; string(dec) weight;
      integer shares; string(dec)? open high low close prev_price; integer? volume; string(dec)? avg30_volume
      week52_high week52_low week_52_high week_52_low; integer? call_volume put_volume; string(dec)?
      call_premium put_premium bullish_premium bearish_premium
    `,
  },
  'cash-flows': {
    'data[]': `
      date fiscal_date_ending; ts inserted_at; string(dec)? net_income operating_cashflow
      cashflow_from_financing cashflow_from_investment capital_expenditures
      change_in_cash_and_cash_equivalents change_in_exchange_rate change_in_inventory
      change_in_operating_assets change_in_operating_liabilities change_in_receivables
      depreciation_depletion_and_amortization dividend_payout dividend_payout_common_stock
      dividend_payout_preferred_stock payments_for_operating_activities
      payments_for_repurchase_of_common_stock payments_for_repurchase_of_equity
      payments_for_repurchase_of_preferred_stock proceeds_from_issuance_of_common_stock
      proceeds_from_issuance_of_long_term_debt proceeds_from_issuance_of_preferred_stock
      proceeds_from_operating_activities proceeds_from_repurchase_of_equity stock_based_compensation; string
      ticker report_type reported_currency; string(dec)? profit_loss
      proceeds_from_repayments_of_short_term_debt proceeds_from_sale_of_treasury_stock; ts updated_at
    `,
  },
  'multi-leg-legs': {
    'data[]': `
      string option_symbol; integer? option_symbol_id; string type; string(dec) strike; date expiry; string?
      side; integer size; string(dec) price premium; string(dec)? delta theta nbbo_bid nbbo_ask; integer?
      open_interest; integer volume
    `,
  },
  'prediction-liquidity': {
    data: `
      string asset_id; ts timestamp; string(dec)? best_bid best_ask mid_price spread; string(dec)
      bid_liquidity ask_liquidity total_liquidity; object[] bids asks
    `,
    'data.bids[]': 'string(dec) price size',
    'data.asks[]': 'string(dec) price size',
  },
  'forex-rate': {
    data: 'string from to; number rate; number? bid ask; string last_refreshed time_zone',
  },
}

/** Fields that answers have beyond the specification: what the prices of analytics are adjusted for. */
export const ADDED_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'analytics-window': {
    'data.meta': 'object adjusted_for; object[] suspected_splits',
    'data.meta.suspected_splits[]': 'string symbol; date date; string ratio',
  },
}
