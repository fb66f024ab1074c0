import { Type } from 'typebox'

/**
 * The schema of a layout: how the columns of a vendor's files fill the raw columns of a format. It is data: none of its texts becomes
 * SQL other than as a literal. The layouts of this program are `sql/import/<format>/<layout>/layout.json`; `--map` reads
 * one of a user.
 */

const Pattern = (description: string) => Type.String({ description, format: 'regex' })
const Texts = (description: string) =>
  Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })], { description })

const Zone = Type.String({
  description: 'Time zone of times that have none, as in the IANA database, such as America/New_York or UTC.',
})

const conversions = {
  null: Type.Optional(Texts('Texts that mean that there is no value.')),
  match: Type.Optional(
    Pattern('The value is the first group of this pattern (RE2); a value that does not match is none.'),
  ),
  words: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Replacements of whole values. Other values are unchanged.',
    }),
  ),
  symbols: Type.Optional(
    Type.Literal('nasdaq', {
      description:
        "The tickers are symbols of Nasdaq's platform (Nasdaq Integrated): BAC-L is a preferred share, and CELG^ a right.",
    }),
  ),
  number: Type.Optional(
    Type.Union([Type.Literal('us'), Type.Literal('eu')], {
      description:
        'Notation of numbers: us is $1,234.50, 12 %, 1.5M and (1,234); eu is 1.234,50 and 1,5M. K, M and B are thousands, millions and thousand millions.',
    }),
  ),
  times: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,18}(\\.[0-9]{1,18})?$',
      description: 'Exact decimal factor, such as 0.0001 for prices in ten-thousandths.',
    }),
  ),
  date: Type.Optional(
    Texts('Forms of a date, as in strptime (%m/%d/%Y), or "unix" (since 1970), "excel" (days since 1900).'),
  ),
  time: Type.Optional(
    Texts('Forms of a time, as in strptime, or "iso", "unix" (since 1970, in s, ms, us or ns by its size).'),
  ),
  zone: Type.Optional(Zone),
}

const ruleMembers = {
  from: Type.Optional(
    Texts(
      'A column of the file; of several names, the first that the file has. /pattern/ is the first column whose name matches, $.a.b a path in JSON, *.a a member of what * in file.rows stands for.',
    ),
  ),
  join: Type.Optional(Type.Array(Type.String(), { minItems: 2, description: 'Columns, joined by a space.' })),
  value: Type.Optional(Type.String({ description: 'A constant.' })),
  option: Type.Optional(Type.String({ description: 'The value of this flag of the command.' })),
  file: Type.Optional(Pattern("The first group of this pattern of the file's name.")),
  above: Type.Optional(Pattern('The first group of this pattern of the lines above the header.')),
  or: Type.Optional(Type.Ref('Rule')),
  optional: Type.Optional(Type.Boolean({ description: 'Whether files may lack the column.' })),
  ...conversions,
}

/** The value of a raw column: one origin, an alternative, and conversions. */
const Rule = Type.Cyclic(
  {
    Rule: Type.Union([
      Type.String({ description: 'A column of the file, without a conversion.' }),
      Type.Object(ruleMembers, { additionalProperties: false }),
    ]),
  },
  'Rule',
)

export const KINDS_OF_FILES = ['csv', 'json', 'xlsx', 'parquet', 'xml'] as const

const FileText = Type.Object(
  {
    kind: Type.Union(KINDS_OF_FILES.map(kind => Type.Literal(kind))),
    header: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 4,
        description:
          'Number of header rows. With several, the name of a column is its cells joined by "|", without blank ones.',
      }),
    ),
    names: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description:
          'Names of the columns by position, for a file without a header and for rows that are JSON arrays.',
      }),
    ),
    rows: Type.Optional(
      Texts(
        'JSON: path of the rows, such as results or chart.result[0]; * is any member. Several are read in turn.',
      ),
    ),
    shape: Type.Optional(
      Type.Union(
        ['objects', 'arrays', 'keyed', 'columns'].map(shape => Type.Literal(shape)),
        {
          description:
            'JSON: rows are objects, arrays, the members of an object (their names are the column key), or arrays of one length that are the columns.',
        },
      ),
    ),
    footer: Type.Optional(
      Pattern('Lines below the rows, with another number of fields, that are left out without a reject.'),
    ),
    sheet: Type.Optional(Type.String({ description: 'Sheet of a workbook. Default: the first that fits.' })),
  },
  { additionalProperties: false },
)

const Recognised = Type.Object(
  {
    columns: Type.Optional(
      Type.Array(Type.String(), { description: 'Columns that the file must have as well.' }),
    ),
    without: Type.Optional(
      Type.Array(Type.String(), { description: 'Columns that the file must not have.' }),
    ),
    only: Type.Optional(
      Type.Boolean({
        description: 'Whether the file has no columns but those of the rules and of "columns".',
      }),
    ),
    name: Type.Optional(Pattern("Pattern of the file's name.")),
    first: Type.Optional(Pattern('Pattern of the first line, or of the JSON of the first row.')),
    values: Type.Optional(
      Type.Record(Type.String(), Pattern(''), {
        description: 'Patterns of the values of columns in the first row. $.a.b is a path in JSON.',
      }),
    ),
    days: Type.Optional(
      Type.String({
        description:
          'A column with times that have a zone: the first one is at midnight or at the close, as of bars of days.',
      }),
    ),
    minutes: Type.Optional(
      Type.String({ description: 'The same: the first one is another time, as of bars of minutes.' }),
    ),
    has: Type.Optional(
      Type.Array(Type.String(), { description: 'JSON: paths that the document must have.' }),
    ),
  },
  { additionalProperties: false },
)

const Sample = Type.Object(
  {
    files: Type.Array(Type.String(), { minItems: 1 }),
    options: Type.Optional(Type.Record(Type.String(), Type.String())),
    rejected: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  {
    additionalProperties: false,
    description: 'Sample files beside the layout, and how they are imported.',
  },
)

export const LAYOUT = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    title: Type.String({ minLength: 1, description: 'What the files are, in one line.' }),
    from: Type.Optional(Type.String({ description: 'Where the files come from.' })),
    notes: Type.Optional(Type.Array(Type.String(), { description: 'Sentences of the documentation.' })),
    format: Type.Optional(
      Type.String({
        description: 'Name of a format, such as daily-bars, or of a dataset, such as daily_bars.',
      }),
    ),
    source: Type.Optional(Type.String({ description: 'Source of the format, if it has several.' })),
    file: FileText,
    recognise: Type.Optional(Recognised),
    skip: Type.Optional(
      Type.Record(Type.String(), Pattern(''), {
        description:
          'Rows that are not data: those whose value in a column matches the pattern are left out.',
      }),
    ),
    unpivot: Type.Optional(
      Pattern(
        'Each column whose name matches becomes rows. The group "field" of the pattern names the column of the value (without the group: value); the other groups become columns.',
      ),
    ),
    columns: Type.Record(Type.String(), Rule, {
      description: 'The raw columns of the format, by name, and how the file fills them.',
    }),
    options: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]*$' }), Type.String(), {
        description: 'Flags of the command that rules use besides those of the format, and their meanings.',
      }),
    ),
    questions: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'What could not be found out from a file. Answer each, and delete it: otherwise nothing is imported.',
      }),
    ),
    sample: Type.Optional(Sample),
  },
  { additionalProperties: false },
)

/** The members that an object of a layout may have. */
export const membersAt = ([member = '', ...rest]: readonly string[]) =>
  member === 'columns' && rest.length > 0
    ? Object.keys(ruleMembers)
    : Object.keys(MEMBERS[member] ?? LAYOUT.properties)

const MEMBERS: Readonly<Record<string, object>> = {
  file: FileText.properties,
  recognise: Recognised.properties,
  sample: Sample.properties,
}
