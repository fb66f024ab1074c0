import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderForTest } from '../fixtures/lake.ts'
import { canBoot } from '../fixtures/namespaces.ts'
import { read, root } from '../house/source.ts'
import { onMachine } from './machine.ts'

/** The shell lines below a heading of a page, without sudo: the script is root. */
function linesBelow(page: string, heading: string): string[] {
  const section =
    read(page)
      .split(/^## /m)
      .find(text => text.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^( *)```text\n(.*?)^\1```$/gms)].map(([, , block = '']) =>
    block.replaceAll(/^ *(sudo )?/gm, ''),
  )
}

/** What a `tapehouse` that is installed does: the built command, with a mark in its environment. */
const command = (build: string) =>
  `#!/bin/sh\nBUILD=${build} exec '${process.execPath}' /opt/tapehouse/dist/main.js "$@"\n`

/** Prints the status and the mean of the lake's prices, as the service answers once it listens. */
const ASK = `
  const url = 'http://127.0.0.1:8787/api/analytics/window?symbols=ACME&range=full&calculations=CUMULATIVE_RETURN'
  const headers = { authorization: 'Bearer ' + process.argv[2] }
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const response = await fetch(url, { headers }).catch(() => null)
    if (response) {
      const { data } = await response.json()
      console.log(response.status, data?.payload.RETURNS_CALCULATIONS.CUMULATIVE_RETURN.ACME.toFixed(6))
      process.exit()
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  process.exit(1)
`

test.skipIf(!canBoot())(
  'the lines of docs/deploy.md and docs/operate.md install, upgrade, restore and maintain a service (with systemd as the first process)',
  async () => {
    const folder = folderForTest()
    const files = join(folder, 'files')
    mkdirSync(files)
    for (const name of ['deploy', 'data/samples/daily-bars'])
      cpSync(join(root, name), join(files, name.replace('data/samples/daily-bars', 'prices')), {
        recursive: true,
      })
    for (const build of ['1', '2']) writeFileSync(join(files, `tapehouse-${build}`), command(build))
    writeFileSync(join(files, 'ask.mjs'), ASK)
    const [install = ''] = linesBelow('docs/deploy.md', 'systemd')
    const [backup = '', restore = ''] = linesBelow('docs/deploy.md', 'Back up and restore')
    const [upgrade = '', rollback = ''] = linesBelow('docs/deploy.md', 'Upgrade and roll back')
    const [nightly = ''] = linesBelow('docs/operate.md', 'The nightly run')
    const { code, output } = await onMachine(
      folder,
      `set -e
      say() { echo "== $*"; }
      ask() { answer=$('${process.execPath}' --input-type=module - "$token" < ask.mjs); say "$1 $answer"; }
      build() { say "build $(tr '\\0' '\\n' < /proc/$(systemctl show -P MainPID tapehouse)/environ | grep ^BUILD)"; }
      trap '[ $? = 0 ] || { systemctl status --no-pager --full tapehouse tapehouse-nightly; journalctl --no-pager | tail -30; }' EXIT
      # A user namespace within these namespaces is what some kernels and sandboxes refuse.
      unit=/etc/systemd/system/tapehouse.service.d && mkdir -p $unit
      printf '[Service]\\nPrivateUsers=no\\n' > $unit/nested.conf
      cp tapehouse-1 tapehouse
      ${install}
      token=$(grep -oE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' output | head -1)
      ask installed; build
      say "user $(systemctl show -P MainPID tapehouse | xargs ps -o user:20= -p)"
      main=$(systemctl show -P MainPID tapehouse)
      systemctl reload tapehouse
      for attempt in $(seq 200); do journalctl -u tapehouse --no-pager | grep -q '"msg":"restarted"' && break; sleep 0.1; done
      [ "$main" = "$(systemctl show -P MainPID tapehouse)" ] && say "reload $(journalctl -u tapehouse --no-pager | grep -c '"msg":"restarted"')"
      ask reloaded
      ${backup}
      cp tapehouse-2 tapehouse
      ${upgrade}
      ask upgraded; build
      ${rollback}
      ask back; build
      rm -r /var/lib/tapehouse/lake/stock_days
      ${restore}
      ask restored
      ${nightly}
      systemctl list-timers --no-pager | grep -q tapehouse-nightly && say timer
      cp prices/daily-bars.csv /var/lib/tapehouse/incoming
      systemctl start tapehouse-nightly && say nightly
      grep success{ /var/lib/tapehouse/metrics/tapehouse.prom
      echo nonsense > /var/lib/tapehouse/incoming/nonsense.csv
      systemctl start tapehouse-nightly || say failed
      grep success{ /var/lib/tapehouse/metrics/tapehouse.prom
      ask last`,
    )
    expect(code, output).toBe(0)
    const success = (step: string, value: number) => `tapehouse_nightly_step_success{step="${step}"} ${value}`
    // The prices of the sample: 39.90235 / 40.3062 − 1.
    expect(output.split('\n').filter(line => /^(== |tapehouse_nightly)/.test(line))).toEqual([
      ...['== installed 200 -0.010020', '== build BUILD=1', '== user tapehouse'],
      ...['== reload 1', '== reloaded 200 -0.010020'],
      ...['== upgraded 200 -0.010020', '== build BUILD=2', '== back 200 -0.010020', '== build BUILD=1'],
      ...['== restored 200 -0.010020', '== timer', '== nightly'],
      ...[success('import', 1), success('maintain', 1), success('verify', 1), '== failed'],
      ...[success('import', 0), success('maintain', 1), success('verify', 1), '== last 200 -0.010020'],
    ])
  },
  240_000,
)
