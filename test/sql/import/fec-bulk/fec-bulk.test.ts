import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'

const SAMPLE = 'data/samples/fec-bulk'

/** The sample as a person imports it: the folder. */
async function imported() {
  const format = importingFormat('fec-bulk')
  const report = await format.import([SAMPLE])
  return { ...format, report }
}

describe('the sample of the commission’s files', () => {
  test('has each committee with its company', async () => {
    const { rows } = await imported()
    // 2 has no connected organisation, so its own name tells; NONE (3) is no organisation; 9 is not a PAC but a super
    // PAC (type O), though a corporation's.
    expect(
      await rows(
        `SELECT cycle, cycle_end, right(committee_id, 1), connected_organization, is_corporate, '[' || ticker || ']',
           company_name
         FROM bars ORDER BY committee_id`,
        'fec_committees',
      ),
    ).toEqual([
      '2024 2024-12-31 1 ACME CORPORATION true [ACME] Acme Corporation',
      '2024 2024-12-31 2 - true [BRASS] Brass & Co., Inc.',
      '2024 2024-12-31 3 - true [CEDAR] Cedar Holdings',
      '2024 2024-12-31 4 HARBOUR WORKERS UNION false [] -',
      '2024 2024-12-31 5 - false [] -',
      '2024 2024-12-31 6 - false [] -',
      '2024 2024-12-31 7 - false [] -',
      '2024 2024-12-31 8 - false [] -',
      '2024 2024-12-31 9 ACME CORPORATION false [ACME] Acme Corporation',
    ])
  })

  test('has each contribution once, with refunds negative', async () => {
    const { rows } = await imported()
    // Left out: 07 independent expenditure, 08 and 22 memo, 11 the receiver's side of 10, 13 transfer, 20 earmarked on
    // its way, 21 an organisation. 01 is in itpas2.txt and in itoth.txt. 02 names no candidate: its committee has
    // one. 05 was reported late: its day is before the cycle. 17 is a refund written without a minus.
    expect(
      await rows(
        `SELECT right(id, 2), cycle, date, '[' || ticker || ']', kind, committee_id, recipient_id, party, amount
         FROM bars ORDER BY id`,
        'fec_contributions',
      ),
    ).toEqual([
      '01 2024 2023-03-15 [ACME] pac C99000001 H4OH01001 DEM 5000.00',
      '02 2024 2023-03-20 [ACME] pac C99000001 S4OH00002 REP 2500.00',
      '03 2024 2023-04-02 [ACME] pac C99000001 H4OH01001 DEM -1000.00',
      '04 2024 2023-02-01 [BRASS] pac C99000002 S4OH00002 REP 750.50',
      '05 2024 2022-12-20 [CEDAR] pac C99000003 H4MN05003 DEM 1000.00',
      '06 2024 2023-01-17 [] other C99000004 H4OH01001 DEM 4000.00',
      '09 2024 2023-03-21 [ACME] other C99000001 C99000008 REP 5000.00',
      '10 2024 2023-03-22 [ACME] pac C99000001 C99000007 DEM 15000.00',
      '12 2024 2023-05-05 [ACME] pac C99000001 S4OH00002 REP -500.00',
      '14 2024 2023-02-04 [BRASS] other C99000002 - - 300.00',
      '15 2024 2023-01-10 [ACME] employee - H4OH01001 DEM 250.00',
      '16 2024 2023-02-14 [BRASS] employee - S4OH00002 REP 1000.00',
      '17 2024 2023-04-25 [BRASS] employee - S4OH00002 REP -1000.00',
      '18 2024 - [ACME] employee - C99000001 - 200.00',
      '19 2024 2023-03-01 [] employee - H4OH01001 DEM 500.00',
    ])
  })

  test('has each lobbying report once', async () => {
    const { rows } = await imported()
    // Of ACME's first quarter the amendment; what its firm took in that quarter is within it, what it took in the
    // quarter before is not. Both firms of BRASS count. A report without a sum is one of less than $5,000.
    expect(
      await rows(
        `SELECT id, cycle, cycle_end, '[' || ticker || ']', client_name, period_start, amount FROM bars ORDER BY id`,
        'lobbying_reports',
      ),
    ).toEqual([
      '7001-8001-2023-first_quarter 2024 2024-12-31 [ACME] ACME CORPORATION 2023-01-01 130000.00',
      '7002-8002-2022-fourth_quarter 2022 2022-12-31 [ACME] Acme Corp. 2022-10-01 40000.00',
      '7002-8003-2024-second_quarter 2024 2024-12-31 [BRASS] BRASS & CO 2024-04-01 20000.00',
      '7003-8004-2024-second_quarter 2024 2024-12-31 [BRASS] BRASS & CO 2024-04-01 15000.00',
      '7003-8005-2024-second_quarter 2024 2024-12-31 [] COUNCIL OF SMALL HARBOURS 2024-04-01 0.00',
    ])
  })

  test('adds up to companies', async () => {
    const { rows } = await imported()
    // ACME: 01 + 02 + 03 + 10 + 12 = 5000 + 2500 - 1000 + 15000 - 500 = 21000, of it DEM 19000 and REP 2000; other 09;
    // employees 15 + 18. BRASS: 04, other 14, employees 16 + 17 = 0, lobbying 20000 + 15000.
    expect(
      await rows(
        `SELECT cycle, ticker, company_name, pac_count, pac_contribution_count, pac_total, pac_dem_total, pac_rep_total,
           other_total, employee_contribution_count, employee_total_estimated, employee_dem_total, employee_rep_total,
           lobbying_total
         FROM bars ORDER BY cycle, ticker`,
        'fec_companies',
      ),
    ).toEqual([
      '2022 ACME Acme Corp. 0 0 0.00 0.00 0.00 0.00 - - - - 40000.00',
      '2024 ACME Acme Corporation 1 5 21000.00 19000.00 2000.00 5000.00 2 450.00 250.00 0.00 130000.00',
      '2024 BRASS Brass & Co., Inc. 1 1 750.50 0.00 750.50 300.00 2 0.00 0.00 0.00 35000.00',
      '2024 CEDAR Cedar Holdings 1 1 1000.00 1000.00 0.00 0.00 0 0.00 0.00 0.00 0.00',
    ])
  })

  test('is imported completely: no row is rejected or excluded, files without rows are counted, and a second import changes nothing', async () => {
    const { report, notices, import: again } = await imported()
    expect(report.faults).toEqual([])
    expect(report.notes).toEqual([])
    expect(notices()).toEqual([expect.stringMatching(/^1 row was replaced/)])
    expect(
      report.accounts.map(({ file, records, rows }) => `${file.split('/').at(-1)} ${records} ${rows}`),
    ).toEqual([
      'ccl.txt 3 0',
      'cm.txt 9 9',
      'cn.txt 3 0',
      'companies.csv 3 0',
      'filings.json 1 5',
      'itcont.txt 8 5',
      'itoth.txt 7 5',
      'itpas2.txt 8 6',
      'webk24.txt 2 0',
    ])
    expect(await again([SAMPLE])).toMatchObject({ skipped: 9, rows: 0, published: false })
  })
})
