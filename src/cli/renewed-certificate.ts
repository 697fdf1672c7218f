import { createSecureContext, type Server } from 'node:tls'
import type { CertificatePair } from '../app/config.ts'
import { messageOf } from '../domain/errors.ts'
import { every } from '../platform/every.ts'

/** Time between two looks for a renewed certificate. */
const CHECK_MS = 30_000

export interface RenewalPorts {
  /** Reads the present certificate. */
  readonly load: () => Promise<CertificatePair>
  readonly onRenewed: () => void
  readonly onError: (error: unknown) => void
}

export interface CertificateRenewal {
  /** Looks for a renewed certificate now. Does not reject. */
  check(): Promise<void>
  stop(): Promise<void>
}

/**
 * Lets a server use a certificate for new connections, and each renewed one soon after it is written. An unusable one,
 * such as a new certificate before its key is written, leaves the previous one in use; each reason is reported once.
 *
 * @throws {Error} when the first certificate cannot be used.
 */
export async function serveCertificate(
  server: Pick<Server, 'setSecureContext'>,
  { load, onRenewed, onError }: RenewalPorts,
  checkMs = CHECK_MS,
): Promise<CertificateRenewal> {
  let current: string | null = null
  let reported: string | null = null
  use(await load())

  const check = async () => {
    try {
      if (use(await load())) onRenewed()
      reported = null
    } catch (error) {
      if (reported !== messageOf(error)) onError(error)
      reported = messageOf(error)
    }
  }
  const { stop } = every(checkMs, check)
  return { check, stop }

  /** @returns whether it is another one. */
  function use({ cert, key }: CertificatePair): boolean {
    const text = `${cert}\n${key}`
    if (text === current) return false
    // Throws before the server is changed.
    createSecureContext({ cert, key })
    server.setSecureContext({ cert, key })
    current = text
    return true
  }
}
