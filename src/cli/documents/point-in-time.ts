import { macrosUsed } from '../../engine/macros.ts'
import { type Dataset, datasets } from '../../lake/store/datasets.ts'
import { derivations } from '../../lake/store/derivation.ts'
import { MADE, page, table } from './markdown.ts'

/** docs/point-in-time.md: when the rows of each dataset became known, and how to ask for what was known at a time. */
export function pointInTimePage(): string {
  const all = [...datasets().values()]
  const imported = all.filter(({ name }) => !derivations().has(name))
  const used = macrosUsed(imported.map(({ known }) => known.sql).join('\n'))
  return page(
    '# Point in time',
    MADE,
    INTRODUCTION,
    '## Ask for what was known',
    ASKING,
    '## When a row became known',
    RULES,
    table(['Dataset', 'Known', 'How exact'], imported.map(rule)),
    'The macros of this table:',
    `\`\`\`sql\n${used.map(({ sql }) => sql.trim()).join('\n\n')}\n\`\`\``,
    '## Derived datasets',
    DERIVED,
    '## Limits',
    ...LIMITS,
  )
}

const rule = ({ name, known }: Dataset) => [`\`${name}\``, `\`${known.sql}\``, known.exactness]

const INTRODUCTION = `Most rows are about an earlier day than the one on which somebody could know them: a fund's holdings of 30 September are
filed in November, and the price index of a month is published in the middle of the next. A model that is tested on old
data must not see what nobody knew then. tapehouse therefore knows of each row when it became known, and can answer a
request with what was known at a time.`

const ASKING = `\`\`\`sh
npx tapehouse query institutions --lake data/lake --as-of 2024-10-15
npx tapehouse query insider-buy-sells --ticker ACME --lake data/lake --as-of 2024-10-15T09:30:00-04:00
\`\`\`

A time is a date, or a time with a zone. What was known is counted by day, up to 20:00 New York: a time means the last
20:00 New York at or before it, a date its own 20:00. At 09:30 on a Tuesday, what was known is what was known on Monday
evening. The open interest that the clearing house publishes on Tuesday morning is therefore part of Tuesday.

The answer is the one that a lake would give into which nothing was imported that became known later. The latest date,
"now", and the default of \`date\` follow from that, too. A test compares both for every operation. \`--explain\` and
\`--cite\` work with such answers; \`--sql\` does not, because their files exist only until the command ends.

A server that is started with \`--allow-as-of\` takes the same times in a parameter of every operation, and names the day in
the header \`X-Tapehouse-As-Of\` of the response:

\`\`\`sh
npx tapehouse serve --lake data/lake --allow-as-of
curl -H "Authorization: Bearer $TOKEN" 'http://127.0.0.1:8787/api/institutions?as_of=2024-10-15'
\`\`\`

Each worker keeps the four states that were used last in the temporary folder, and computes one at a time. A request for
another one meanwhile is a 503, as is one whose deadline passes while its state is computed; the state is then there for
the next request. If a worker is killed, the next process of tapehouse removes its states.

The rows that were known are selected and derived again for each command or state, because a later row can change many derived
ones. Whatever is not affected is used as it is, so that the work depends on what came later in the same partitions. The
lake itself does not change.`

const RULES = `A rule is the expression after \`-- known:\` in the schema of the dataset (\`sql/schema\`). A date means 20:00 New York on that
day, a time is in UTC. A row without a date or time is in no answer as of any time.`

const DERIVED = `Derived datasets have no rule of their own: they are derived from the rows that were known. For rows that were adopted into
a derived dataset, and cannot be derived, the expression in its schema applies.`

const LIMITS = [
  `**Corrections.** An import that corrects a row replaces it, with the time at which the corrected row became known. As of an
earlier time the row is missing, not wrong. What the lake itself held at an earlier time is in its
[snapshots](concepts.md#snapshot).`,
  `**Form 13F filed again.** The lake keeps each filing. As of a time between two filings the first one answers, afterwards the
second. So it is with a \`date\` in a request to \`institution-holdings\` or \`institution-sectors\`: \`institution_positions\` and
\`institution_totals\` have a row per date on which a report or an earlier one of the institution was filed, with what was known
on that date. Rows that version 0.1.0 imported have only the latest filing: import all of them again, together.`,
  `**Revisions.** Economic series are revised. The lake has the values of the imported file, as of a time with those points
that had been published by then. Files of FRED do not state when a point was published.`,
  `**Sources without dates.** Where a source does not state when a fact became known, the rule is late rather than early, or
the table says so.`,
  `**A date in a request** is not a time of knowledge: it selects the rows of that date, with all that the lake knows of them.
For \`institution-holdings\` and \`institution-sectors\` it selects what was filed by then. For \`congress-late-reports\` it
selects the trades that were filed by then, and for \`crypto-ohlc\` the candles that start by then, which can end later.`,
]
