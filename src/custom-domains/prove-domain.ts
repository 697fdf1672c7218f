import { Resolver } from 'node:dns/promises'
import { CHALLENGE_PATH, challengeRecord, type ProofResult } from '../domain/domain-proof.ts'
import { messageOf } from '../domain/errors.ts'
import { type SendPorts, send } from '../webhooks/send.ts'

const DNS_TIMEOUT_MS = 3_000
const DNS_TRIES = 2
/** Time limit of one HTTP request. */
const HTTP_TIMEOUT_MS = 8_000

/**
 * Looks for the proof of a domain: the token in a TXT record, or as the content of a file on its web server.
 *
 * @param stopping ends the check early, with any result.
 */
export type ProveDomain = (domain: string, token: string, stopping: AbortSignal) => Promise<ProofResult>

export interface ProofPorts {
  /** Checks web servers as it checks receivers of webhooks: their addresses have to be public. */
  readonly targets: Omit<SendPorts, 'timeoutMs'>
  /** Addresses of name servers for TXT records, with a port or without. Absent: those of the system. */
  readonly nameServers?: readonly string[]
  /** Port of web servers. Absent: that of the protocol. */
  readonly port?: number
}

/** Accepts every domain, for installations without proofs. */
export const proveNothing: ProveDomain = async () => ({ provedBy: null })

export function createProveDomain({ targets, nameServers, port }: ProofPorts): ProveDomain {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
  if (nameServers !== undefined) resolver.setServers(nameServers)

  return async (domain, token, stopping) => {
    const record = await recordProblem(domain, token, stopping)
    if (record === null) return { provedBy: 'dns' }
    const [secure, plain] = await Promise.all([
      fileProblem(`https://${domain}`, token, stopping),
      fileProblem(`http://${domain}`, token, stopping),
    ])
    if (secure === null || plain === null) return { provedBy: 'http' }
    return { problem: `${record} http://${domain}${CHALLENGE_PATH}: ${plain}` }
  }

  /** Returns why no TXT record proves the domain; null when one holds the token. */
  async function recordProblem(domain: string, token: string, stopping: AbortSignal): Promise<string | null> {
    const name = challengeRecord(domain)
    // Ends the look-ups of other checks too: they stop with the same signal.
    const cancel = () => resolver.cancel()
    stopping.addEventListener('abort', cancel)
    try {
      const records = await resolver.resolveTxt(name)
      return records.some((chunks) => chunks.join('').trim() === token)
        ? null
        : `No TXT record of ${name} holds ${token}.`
    } catch (error) {
      return isMissing(error)
        ? `There is no TXT record ${name}.`
        : `The name servers did not answer for ${name} (${codeOf(error)}).`
    } finally {
      stopping.removeEventListener('abort', cancel)
    }
  }

  /** Returns why the file proves nothing; null when it holds the token. Redirects are not followed. */
  async function fileProblem(origin: string, token: string, stopping: AbortSignal): Promise<string | null> {
    const url = new URL(CHALLENGE_PATH, origin)
    if (port !== undefined) url.port = String(port)
    try {
      const reply = await send(
        { method: 'GET', url, headers: { 'User-Agent': 'Quoin-Domains' }, body: '' },
        { ...targets, timeoutMs: HTTP_TIMEOUT_MS },
        stopping,
      )
      if (reply.status === null) return reply.failure ?? 'no answer.'
      if (reply.status !== 200) return `answered ${reply.status}.`
      return reply.failure === null && reply.answer.trim() === token ? null : 'has other content.'
    } catch (error) {
      // `send` throws only when the service stops; the result is not used then.
      if (stopping.aborted) return messageOf(error)
      throw error
    }
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOTFOUND', 'ENODATA'].includes(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : messageOf(error)
}
