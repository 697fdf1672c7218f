import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { nanoid } from 'nanoid'
import { mkdirp } from '../platform/mkdirp.ts'

const DAYS_VALID = 365
const DAY_MS = 24 * 60 * 60 * 1000

export interface CertificateOptions {
  /** The folder of the file `self-signed.pem`. It is created if missing. */
  readonly data: string
  /** The host name or IP address that clients use. */
  readonly host: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * A self-signed certificate for tests. Returns the stored one while it is valid for the host, or else creates and
 * stores a new one. Only the owner can read the file.
 *
 * @returns private key and certificate as PEM, in one file so that they always match.
 */
export async function loadOrCreateCertificate({ data, host, now }: CertificateOptions): Promise<string> {
  const file = certificateFile(data)
  const stored = await readIfPresent(file)
  if (stored !== null && isValidFor(stored, host, now)) return stored

  const created = await createCertificate(host, now)
  await mkdirp(data)
  const temporary = `${file}.${nanoid()}.tmp`
  await writeFile(temporary, created, { mode: 0o600, flag: 'wx' })
  await rename(temporary, file)
  return created
}

export function certificateFile(data: string): string {
  return join(data, 'self-signed.pem')
}

async function readIfPresent(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function isValidFor(pem: string, host: string, now: number): boolean {
  const certificate = readCertificate(pem)
  if (certificate === null) return false
  const isCurrent = now >= Date.parse(certificate.validFrom) && now < Date.parse(certificate.validTo)
  const named = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)
  return isCurrent && named !== undefined
}

/** The certificate of a file. Null for a damaged file, which is then replaced. */
function readCertificate(pem: string): X509Certificate | null {
  try {
    const certificate = new X509Certificate(pem)
    return certificate.checkPrivateKey(createPrivateKey(pem)) ? certificate : null
  } catch {
    return null
  }
}

async function createCertificate(host: string, now: number): Promise<string> {
  // Loaded here, because most installations never need it.
  const { generate } = await import('selfsigned')
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'Quoin self-signed' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // One minute earlier, for clients whose clocks are slow.
    notBeforeDate: new Date(now - 60_000),
    notAfterDate: new Date(now + DAYS_VALID * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: namesFor(host) },
    ],
  })
  return `${key.trim()}\n${cert.trim()}\n`
}

function namesFor(host: string) {
  const names = new Set(['localhost', '127.0.0.1', '::1', host])
  return [...names].map((name) =>
    isIP(name) === 0 ? { type: 2 as const, value: name } : { type: 7 as const, ip: name },
  )
}
