import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { connect, type PeerCertificate } from 'node:tls'
import type { CertificateRecord } from '../../db/repositories/certificates.ts'
import type { Database } from '../../db/repositories.ts'
import { messageOf } from '../../domain/errors.ts'
import { mapConcurrently } from '../../platform/concurrency.ts'
import { acmeOf, type Config, ConfigError, certificateFilesOf, readCertificate } from '../config.ts'
import { type Check, type Finding, failure, ok, warning } from './finding.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Certificates of Let's Encrypt are renewed 30 days before they end. Less than half of that is late. */
const LATE_DAYS = 14
const HANDSHAKE_MS = 5_000
const CONNECTIONS = 8
/** Certificates whose state is read. */
const MOST_ORDERED = 1_000

/** The certificate of `QUOIN_TLS_CERT`: whether it is current, named for the base URL, and belongs to its key. */
export function examineOwnCertificate(config: Config, now: number): readonly Finding[] {
  const { baseUrl } = config
  const files = certificateFilesOf(config)
  if (files === null) return []
  try {
    const { cert, key } = readCertificate(files)
    const certificate = new X509Certificate(cert)
    if (!certificate.checkPrivateKey(createPrivateKey(key)))
      return [failure('certificate', 'QUOIN_TLS_KEY is not the key of the certificate in QUOIN_TLS_CERT.')]
    const host = baseUrl === null ? null : new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
    if (host !== null && !isNamed(certificate, host))
      return [
        failure(
          'certificate',
          `The certificate of QUOIN_TLS_CERT is not for ${host}, the host of QUOIN_BASE_URL.`,
        ),
      ]
    return [validity('certificate', 'The certificate of QUOIN_TLS_CERT', certificate, now)]
  } catch (error) {
    if (error instanceof ConfigError) return [failure('certificate', error.message)]
    return [failure('certificate', `QUOIN_TLS_CERT, QUOIN_TLS_KEY: ${messageOf(error)}`)]
  }
}

/** Examines ordered certificates. Each failed order is a finding with its reason. */
export async function examineOrderedCertificates(
  config: Config,
  { read }: Pick<Database, 'read'>,
  now: number,
): Promise<readonly Finding[]> {
  if (acmeOf(config) === null) return []
  const records = await read.certificates.list(MOST_ORDERED)
  const isValid = ({ issued }: CertificateRecord) => issued !== null && Date.parse(issued.expiresAt) > now
  const failed = records.filter(({ problem }) => problem !== null)
  const host = new URL(config.baseUrl ?? '').hostname
  const findings = failed.map((record) => {
    const found = isValid(record) ? warning : failure
    const what = isValid(record) ? 'was not renewed' : 'was not issued'
    return found(
      'certificate',
      `The certificate of ${record.host} ${what}: ${record.problem?.replace(/\.$/, '')}. It is ordered again at ${record.dueAt}.`,
      `Check that ${record.host} leads to this service, and that port 80 is open to the internet.`,
    )
  })
  if (findings.length > 0) return findings
  if (!records.some((record) => record.host === host && isValid(record)))
    return [
      warning(
        'certificate',
        `No certificate of ${host} was ordered yet.`,
        'Start the service: it orders the certificate at its start.',
      ),
    ]
  return [ok('certificate', `Certificates that the service ordered: ${records.filter(isValid).length}.`)]
}

/** Connects to each host over HTTPS, as visitors do, and reads its certificate. */
export function examineServedCertificates(
  check: Check,
  hosts: readonly string[],
  now: number,
): Promise<readonly Finding[]> {
  return mapConcurrently(hosts, CONNECTIONS, async (host) => {
    const [name = '', port] = host.split(':')
    const served = await servedCertificate(name, port === undefined ? 443 : Number(port))
    return 'problem' in served
      ? failure(
          check,
          `https://${host} cannot be used: ${served.problem}.`,
          'Check the proxy that has its certificate.',
        )
      : validity(
          check,
          `The certificate of ${host}`,
          { validFrom: served.valid_from, validTo: served.valid_to },
          now,
        )
  })
}

function validity(
  check: Check,
  subject: string,
  { validFrom, validTo }: Pick<X509Certificate, 'validFrom' | 'validTo'>,
  now: number,
): Finding {
  const days = Math.floor((Date.parse(validTo) - now) / DAY_MS)
  if (now < Date.parse(validFrom)) return failure(check, `${subject} is not valid before ${validFrom}.`)
  if (days < 0) return failure(check, `${subject} ended on ${validTo}.`, 'Renew it.')
  if (days < LATE_DAYS) return warning(check, `${subject} ends on ${validTo}.`, 'Renew it.')
  return ok(check, `${subject} is valid for ${days} days.`)
}

function isNamed(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined
}

/** Refuses what a browser would refuse: another name, an unknown issuer, an expired certificate. */
function servedCertificate(
  host: string,
  port: number,
): Promise<PeerCertificate | { readonly problem: string }> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, ...(isIP(host) === 0 && { servername: host }) })
    const end = (result: PeerCertificate | { readonly problem: string }) => {
      socket.destroy()
      resolve(result)
    }
    socket.setTimeout(HANDSHAKE_MS, () => end({ problem: `no answer within ${HANDSHAKE_MS / 1000} s` }))
    socket.on('secureConnect', () => end(socket.getPeerCertificate()))
    socket.on('error', (error) => end({ problem: messageOf(error).replace(/\.$/, '') }))
  })
}
