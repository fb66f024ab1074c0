import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from '../../../src/api/process/certificate.ts'

/** Makes a self-signed certificate of a name for 127.0.0.1, with its key in `<name>.key` and itself in `<name>.pem`. */
export function makeCertificate(folder: string, name: string): Certificate {
  const [keyFile, certFile] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1']
  const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const files = ['-keyout', keyFile, '-out', certFile]
  execFileSync('openssl', ['req', '-x509', ...algorithm, ...files, ...subject], { stdio: 'pipe' })
  const [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')]
  return { key, cert, expiresMs: Date.now() + 2 * 86_400_000 }
}
