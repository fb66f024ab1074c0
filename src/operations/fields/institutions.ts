import { shownValues } from '../../market/enumeration.ts'
import { OptionType } from '../../market/enumerations.ts'
import { SECURITY_TYPES } from '../../market/vocabulary.ts'
import { among, from, joined, type OperationFields } from './notation.ts'

/** Operations 2, 7 and 24: institutions and what they report on Form 13F. */

const institution = from('institutions')
const position = from('institution_positions')
const total = from('institution_totals')

const UNKNOWN = 'the lake does not know it'
const PRICELESS = 'the lake has no price of the ticker'

const named = (owner: string) =>
  joined(
    'name',
    'string',
    `institutions.name institutions.cik institution_totals.institution_name ${owner}.cik`,
    'a CIK, leading zeros ignored; else the whole name in any case; else a part of exactly one name; a name is that of `institutions`, else as filed',
  )

export const INSTITUTION_HOLDINGS: OperationFields = {
  id: 'institution-holdings',
  dating: ['institution_positions'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...position.columns('string', 'ticker'),
        ...position.columns('string', 'full_name sector', UNKNOWN),
        ...among(SECURITY_TYPES, ...position.columns('string', 'security_type')),
        ...among(
          shownValues(OptionType),
          position.made(
            'put_call',
            'string',
            'put_call',
            'null where empty',
            'the position is not in options',
          ),
        ),
        position.made('date', 'date', 'report_date'),
        ...position.columns('date', 'first_buy'),
        ...position.columns('string(dec)', 'price_first_buy', PRICELESS),
        position.made(
          'units',
          'integer',
          'units',
          'positions of 0 units, closed since the report before, are left out',
        ),
        ...position.columns('integer', 'units_change'),
        ...position.columns('array of integer', 'historical_units'),
        position.made('value', 'integer', 'value', 'rounded to the dollar, half away from zero'),
        ...position.columns('string(dec)', 'avg_price close', PRICELESS),
        ...position.columns('string(dec)', 'shares_outstanding', UNKNOWN),
        ...position.columns(
          'number',
          'perc_of_share_value',
          'the position is not in shares, or all shares have no value',
        ),
        ...position.columns(
          'number',
          'perc_of_total',
          'the position is not in shares, or the shares outstanding are not known',
        ),
      ],
    },
  ],
  parameters: [
    named('institution_positions'),
    position.made('ticker_symbol', 'string', 'ticker'),
    position.made('start_date', 'date', 'report_date', 'report_date is it or later'),
    position.made('end_date', 'date', 'report_date', 'report_date is it or earlier'),
    position.made('security_types', 'array of string', 'security_type', 'one of those given'),
  ],
}

export const INSTITUTION_SECTORS: OperationFields = {
  id: 'institution-sectors',
  dating: ['institution_positions'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...position.columns('date', 'report_date'),
        ...position.columns('string', 'sector', 'the sector of these positions is not known'),
        position.made('value', 'string(dec)', 'value', 'sum, rounded to the dollar'),
        position.made('positions', 'integer', 'units', 'positions with units > 0'),
        position.made('positions_closed', 'integer', 'units previous_units', 'units = 0, previous_units > 0'),
        position.made('positions_decreased', 'integer', 'units previous_units', '0 < units < previous_units'),
        position.made('positions_increased', 'integer', 'units previous_units', 'units > previous_units'),
      ],
    },
  ],
  parameters: [
    named('institution_positions'),
    position.made('date', 'date', 'report_date', 'report_date is it or earlier'),
  ],
}

export const INSTITUTIONS: OperationFields = {
  id: 'institutions',
  dating: ['institution_totals'],
  parts: [
    {
      at: 'data[]',
      fields: [
        joined(
          'name',
          'string',
          'institutions.name institution_totals.institution_name',
          'that of `institutions`, else as filed',
          'neither source names it',
        ),
        ...institution.columns('string', 'short_name', UNKNOWN),
        ...total.columns('string', 'cik'),
        ...institution.columns('string', 'description', UNKNOWN),
        ...institution.columns('string(URL)', 'website logo_url founder_img_url', UNKNOWN),
        institution.made('people', 'array of string', 'people', 'empty when unknown'),
        institution.made('tags', 'array of string', 'tags', 'empty when unknown'),
        institution.made('is_hedge_fund', 'boolean', 'is_hedge_fund', 'false when unknown'),
        total.made('date', 'date', 'report_date', "the institution's latest report"),
        ...total.columns('date', 'filing_date'),
        ...[
          'total_value',
          'share_value',
          'call_value',
          'put_value',
          'fund_value',
          'pfd_value',
          'debt_value',
          'warrant_value',
          'buy_value',
          'sell_value',
        ].map(name => total.made(name, 'string(dec)', name, 'rounded to the dollar')),
        ...total.columns('string(dec)', 'share_holdings call_holdings put_holdings fund_holdings'),
        ...total.columns('string(dec)', 'pfd_holdings debt_holdings warrant_holdings'),
      ],
    },
  ],
  parameters: [
    total.made(
      'total_holdings',
      'string(dec)',
      'share_holdings call_holdings put_holdings fund_holdings pfd_holdings debt_holdings warrant_holdings',
      'sum',
    ),
    total.made('percent_of_total', 'number', 'percent_of_total', null, "no institution's total is above 0"),
  ],
}
