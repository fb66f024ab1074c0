import { date, text } from '../../engine/bind.ts'
import { shownValues } from '../../market/enumeration.ts'
import { Sector } from '../../market/enumerations.ts'
import { largestInstitutions } from '../answering/example.ts'
import {
  cikIn,
  institutionName,
  institutionNameLookup,
  readsOf,
  settleName,
} from '../answering/institution-name.ts'
import { operation } from '../answering/operation.ts'
import { among, from, type OperationFields } from '../fields/notation.ts'
import { limit, page } from '../parameters/number.ts'
import { day } from '../parameters/time.ts'

const position = from('institution_positions')

const fields: OperationFields = {
  dating: ['institution_positions'],
  parts: [
    {
      at: 'data[]',
      record: 'InstitutionSectorRow',
      fields: [
        ...position.columns('date', 'report_date'),
        ...among(
          shownValues(Sector),
          ...position.columns('string', 'sector', 'the sector of these positions is unknown'),
        ),
        position.made('value', 'string(dec)', 'value', 'sum, rounded to the dollar'),
        position.made('positions', 'integer', 'units', 'positions with units > 0'),
        position.made('positions_closed', 'integer', 'units', 'units = 0: held in the report before'),
        position.made(
          'positions_decreased',
          'integer',
          'units units_change',
          'units > 0 and units_change < 0',
        ),
        position.made('positions_increased', 'integer', 'units_change', 'units_change > 0'),
      ],
    },
  ],
  parameters: [
    institutionNameLookup,
    position.made('date', 'date', 'filing_date', 'filing_date is on or before it'),
  ],
}

export const institutionSectors = operation({
  id: 'institution-sectors',
  fields,
  examples: [largestInstitutions],
  parameters: {
    name: institutionName,
    date: day('Last filing date of the reports, inclusive. Default: the latest in the lake.'),
    limit: limit(500, 500),
    page: page(),
  },
  settle: settleName,
  plan: ({ name, date: filedBy }) => ({
    date: filedBy,
    reads: readsOf(name, {}),
    bindings: { cik: text(cikIn(name)), date: date(filedBy) },
  }),
})
