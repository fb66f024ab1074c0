import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { NAMESPACES } from '../fixtures/namespaces.ts'
import { root } from '../house/source.ts'

/**
 * Runs a script as root on a machine of its own: systemd is its first process, its root is a copy on write of this
 * machine's, and its network is its loopback. The project is at /opt/tapehouse, read-only, and the script runs in the
 * folder /srv/files, which is that of the test. Returns the exit code and the output of the script.
 */
export async function onMachine(folder: string, script: string): Promise<{ code: number; output: string }> {
  const layer = join(folder, 'layer')
  const machine = join(folder, 'machine')
  const files = join(folder, 'files')
  for (const each of [layer, machine]) mkdirSync(each)
  writeFileSync(join(files, 'script'), script)
  const boot = `
    set -e
    mount -t tmpfs layer ${layer}
    mkdir ${layer}/upper ${layer}/work
    mount -t overlay root -o lowerdir=/,upperdir=${layer}/upper,workdir=${layer}/work ${machine}
    cd ${machine}
    mkdir -p opt/tapehouse srv/files
    mount --bind -o ro ${root} opt/tapehouse
    mount --bind ${files} srv/files
    mount -t proc proc proc
    mount --rbind /dev dev
    mount -t tmpfs run run
    mount -t tmpfs tmp tmp
    mount -t sysfs sys sys
    mount -t cgroup2 cgroup sys/fs/cgroup
    rm -rf etc/systemd/system/*
    cat > etc/systemd/system/script.service <<'END'
[Unit]
DefaultDependencies=no
Wants=systemd-journald.service
After=systemd-journald.service
[Service]
Type=oneshot
WorkingDirectory=/srv/files
ExecStart=/bin/sh -c 'sh script > output 2>&1; echo $? > code.part; mv code.part code'
END
    exec chroot . env -i container=proof PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \\
      /usr/lib/systemd/systemd --unit=script.service --log-target=console --show-status=0`
  // The first process ignores other signals; with it, all processes of its namespaces end.
  const child = spawn('unshare', ['--fork', '--kill-child=SIGKILL', ...NAMESPACES, 'sh', '-c', boot], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let console = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      console += String(chunk)
    })
  const ended = new Promise(resolve => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  while (!existsSync(join(files, 'code'))) {
    if (child.exitCode !== null) throw new Error(`the machine ended:\n${console}`)
    await sleep(50)
  }
  return {
    code: Number(readFileSync(join(files, 'code'), 'utf8')),
    output: readFileSync(join(files, 'output'), 'utf8'),
  }
}
