import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { Failure, firstLine } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'

/** The files of a certificate and its private key, both in PEM. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

/** A certificate and its private key, both in PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
  /** The end of its validity, in milliseconds. */
  readonly expiresMs: number
}

export interface FollowedCertificate {
  /** The last certificate that could be used; null without TLS. */
  current(): Certificate | null
  /** Reads it again. Throws `certificate_unusable`; the one before it then remains. */
  read(): void
}

/** Reads a certificate; null without files. Throws `certificate_unusable`. */
export function followCertificate(files: CertificateFiles | null, observe: Observe): FollowedCertificate {
  let current: Certificate | null = null
  const read = () => {
    if (files === null) return
    current = readCertificate(files)
    observe({ kind: 'certificate_loaded', expires: new Date(current.expiresMs).toISOString() })
  }
  read()
  return { current: () => current, read }
}

/** Throws `certificate_unusable` if a file cannot be read, is not PEM, or does not belong to the other one. */
export function readCertificate(files: CertificateFiles): Certificate {
  const cert = tried('certificate', files.cert, () => readFileSync(files.cert, 'utf8'))
  const key = tried('private key', files.key, () => readFileSync(files.key, 'utf8'))
  const { validTo, ...leaf } = tried('certificate', files.cert, () => leafOf(cert))
  const isItsKey = tried('private key', files.key, () => leaf.hasKey(key))
  if (!isItsKey)
    throw new Failure(
      'certificate_unusable',
      `the private key ${files.key} does not belong to the certificate ${files.cert}: use the key that it was made with`,
    )
  tried('certificate', files.cert, () => createSecureContext({ cert, key }))
  return { cert, key, expiresMs: Date.parse(validTo) }
}

/** The first certificate of a file: that of the server. Those that it is signed with follow it. */
function leafOf(cert: string) {
  const leaf = new X509Certificate(cert)
  return {
    validTo: leaf.validTo,
    hasKey: (key: string) => leaf.checkPrivateKey(createPrivateKey({ key, format: 'pem' })),
  }
}

function tried<T>(what: string, path: string, attempt: () => T): T {
  try {
    return attempt()
  } catch (thrown) {
    throw new Failure('certificate_unusable', `the ${what} ${path} cannot be used: ${firstLine(thrown)}`, {
      cause: thrown,
    })
  }
}
