import type { importingFormat } from '../formats.ts'

/** A record of cm.txt: by default the political action committee of a corporation that is not named. */
export const committee = (
  id: string,
  {
    name = 'SOME PAC',
    type = 'Q',
    party = '',
    kind = 'C',
    connected = '',
    candidate = '',
  }: { name?: string; type?: string; party?: string; kind?: string; connected?: string; candidate?: string },
) => `${id}|${name}|DOE, JANE|1 ST||X|OH|1|U|${type}|${party}|Q|${kind}|${connected}|${candidate}`

/** A record of cn.txt. */
export const candidate = (id: string, party: string) =>
  `${id}|DOE, PAT|${party}|2020|OH|H|01|C|C|C00000005|||X|OH|1`

/** A record of ccl.txt, of a cycle. */
export const link = (cycle: number) => `H0OH01001|${cycle}|${cycle}|C00000005|H|P|1`

interface Transaction {
  readonly committee?: string
  readonly type?: string
  readonly entity?: string
  readonly employer?: string
  readonly day?: string
  readonly amount?: string
  readonly other?: string
  readonly candidate?: string
  readonly memo?: string
}

const fields = (record: Transaction) => ({
  head: [
    record.committee ?? 'C00000001',
    'N|Q1|P|1',
    record.type ?? '24K',
    record.entity ?? 'CCM',
    'NAME|X|OH|1',
    record.employer ?? '',
    'JOB',
    record.day ?? '01152019',
    record.amount ?? '100',
    record.other ?? 'C00000005',
  ],
  memo: ['T|F', record.memo ?? '', ''],
})

/** A record of itpas2.txt: by default $100 of C00000001 to C00000005. */
export function gift(id: string, record: Transaction): string {
  const { head, memo } = fields(record)
  return [...head, record.candidate ?? '', ...memo, id].join('|')
}

/** A record of itcont.txt or itoth.txt. */
export function transaction(id: string, record: Transaction): string {
  const { head, memo } = fields(record)
  return [...head, ...memo, id].join('|')
}

/** C00000001 of a corporation, C00000002 of a union, C00000005 of a Democrat for the House, C00000007 of a party. */
export const COMMITTEES = [
  committee('C00000001', { connected: 'THE BOEING COMPANY' }),
  committee('C00000002', { kind: 'L', connected: 'UNION' }),
  committee('C00000005', { type: 'H', kind: '', party: 'DEM', candidate: 'H0OH01001' }),
  committee('C00000007', { type: 'Y', kind: '', party: 'REP' }),
]

/** Writes files of a cycle with these committees, and answers their paths. */
export const cycleFiles = (
  { file }: Pick<ReturnType<typeof importingFormat>, 'file'>,
  more: Readonly<Record<string, readonly string[]>>,
) =>
  Object.entries({ 'cm.txt': COMMITTEES, 'ccl.txt': [link(2020)], ...more }).map(([name, lines]) =>
    file(name, lines),
  )
