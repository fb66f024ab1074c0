import { date, text } from '../../engine/bind.ts'
import { cikIn, institutionName, readsOf, settleName } from '../answering/institution-name.ts'
import { dateOf } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { limit, page } from '../parameters/number.ts'
import { day } from '../parameters/time.ts'

export const institutionSectors = operation({
  id: 'institution-sectors',
  path: '/api/institution/{name}/sectors',
  summary: "An institution's portfolio by sector, report by report",
  description: [
    "One record a report and sector, for every report on or before `date`, newest first, then by value, greatest first. `value` is dollars at the report date. The sector is the ticker's on that date, null for positions of which it is not known.",
    "`positions_*` compare with the institution's report before: a new position counts as increased, a closed one was held then and is no more, so that it is not among `positions`. A position is a ticker, a kind of security, and a side where it is in options; all of them count as increased in the first report.",
    'An institution is found by its CIK or its name; a CIK that never reported has no sectors.',
  ].join('\n\n'),
  parameters: {
    name: institutionName,
    date: day('Last report date, inclusive. Left out: the last that the lake holds.'),
    limit: limit(500, 500),
    page: page(),
  },
  settle: settleName,
  plan: ({ name, date: asked }, snapshot) => {
    const to = dateOf(snapshot, 'institution_positions', asked)
    return {
      reads: readsOf(name, { ...(to && { to }) }),
      bindings: { cik: text(cikIn(name)), date: date(to) },
    }
  },
})
