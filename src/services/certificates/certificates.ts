import { createPrivateKey, X509Certificate } from 'node:crypto'
import { nanoid } from 'nanoid'
import type { CertificateAuthority, OrderedCertificate } from '../../certificates/certificate-authority.ts'
import type { CertificateRecord, IssuedCertificate } from '../../db/repositories/certificates.ts'
import type { Database } from '../../db/repositories.ts'
import { messageOf } from '../../domain/errors.ts'
import type { Timers } from '../../domain/timers.ts'
import { mapConcurrently } from '../../platform/concurrency.ts'
import type { MasterKey } from '../../secrets/master-key.ts'
import { openPrivateKey, sealPrivateKey } from './private-keys.ts'

/** Time that a visitor of a host without a certificate waits for one, and the time between look-ups meanwhile. */
const WAIT_MS = 15_000
const POLL_MS = 250

/** Longer than an order takes, with all its repeated requests. Another process may order after it. */
const HOLD_MS = 10 * 60_000
/** Orders that one process makes at a time. */
const AT_ONCE = 4
/** Orders without a waiting visitor leave one place to orders with one. */
const AT_ONCE_IN_BACKGROUND = AT_ONCE - 1
/** Renewals in one round. The next round continues. */
const DUE = 100
const LISTED = 1_000

/** Let's Encrypt allows an account 300 orders in three hours. */
const ORDERS = 200
const ORDERS_MS = 3 * 60 * 60_000

/**
 * Pauses after failed orders in a row; the last one repeats. Let's Encrypt refuses a host after five failures in an
 * hour: the first hour has four.
 */
const PAUSES_MS = [1, 5, 30, 120, 360].map((minutes) => minutes * 60_000)

/** Part of its lifetime after which a certificate is renewed. */
const RENEWED_AT = 2 / 3

/** Characters of a reason that are stored. */
const MOST_PROBLEM = 500

export interface CertificatePorts {
  readonly db: Pick<Database, 'read' | 'write'>
  readonly masterKey: MasterKey
  readonly authority: CertificateAuthority
  /** Hosts of the service itself that have a certificate, lower case. */
  readonly ownHosts: readonly string[]
  /** Reports whether a site is served at a host, so that it may have a certificate. */
  readonly isSite: (host: string) => Promise<boolean>
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  readonly timers: Timers
  readonly log: {
    info(about: object, message: string): void
    warn(about: object, message: string): void
    error(about: object, message: string): void
  }
}

/** PEM: what a server needs to answer as a host. */
export interface HostCertificate {
  readonly chain: string
  readonly privateKey: string
}

export interface CertificateService {
  /**
   * The certificate of a host, which is ordered if there is none.
   *
   * @param host lower case.
   * @returns null for hosts that the service does not answer at, and where no certificate is issued in time.
   */
  find(host: string): Promise<HostCertificate | null>
  /** Orders the certificates of the service's own hosts that have none. Does not reject. */
  start(): Promise<void>
  /** Lists certificates and failed orders, by host; at most 1,000. */
  list(): Promise<readonly CertificateRecord[]>
  /** Orders certificates that are due, and forgets hosts without a site. Does not reject. */
  renew(): Promise<void>
  /** The answer to a challenge of the authority; null for an unknown token. */
  challengeAnswer(token: string): Promise<string | null>
  /** Lets other processes order what this one was ordering. */
  stop(): Promise<void>
}

/** Certificates that the service orders itself. Processes share them in the database; one of all orders for a host. */
export function createCertificateService({
  db,
  masterKey,
  authority,
  ownHosts,
  isSite,
  now,
  timers,
  log,
}: CertificatePorts): CertificateService {
  const holder = nanoid(16)
  const ordering = new Map<string, Promise<OrderOutcome>>()
  const isServed = async (host: string) => ownHosts.includes(host) || (await isSite(host))
  const after = (ms: number) => new Date(Date.parse(now()) + ms).toISOString()
  const challenges = {
    put: (token: string, answer: string) =>
      db.write(({ certificates }) => certificates.putChallenge(token, answer, after(HOLD_MS))),
    delete: (token: string) => db.write(({ certificates }) => certificates.deleteChallenge(token)),
  }

  return {
    async find(host) {
      const stored = await readStored(host)
      if (stored.certificate !== null || !(await isServed(host))) return stored.certificate
      let outcome: OrderOutcome | null = null
      void order(host).then((known) => {
        outcome = known
      })
      for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
        // Read before the database, which then has the outcome of the order.
        const isUnderWay = outcome === null || outcome === 'elsewhere'
        const { certificate, isPaused } = await readStored(host)
        if (certificate !== null || isPaused || !isUnderWay) return certificate
        await timers.sleep(POLL_MS)
      }
      return null
    },

    async start() {
      await mapConcurrently(ownHosts, AT_ONCE_IN_BACKGROUND, order)
    },

    list: () => db.read.certificates.list(LISTED),

    async renew() {
      try {
        const hosts = await db.read.certificates.findDue(now(), DUE)
        await mapConcurrently(hosts, AT_ONCE_IN_BACKGROUND, async (host) => {
          if (await isServed(host)) await order(host)
          else await db.write(({ certificates }) => certificates.delete(host))
        })
      } catch (error) {
        log.error({ err: error }, 'Certificates could not be renewed. It is tried again.')
      }
    },

    challengeAnswer: (token) => db.read.certificates.findChallenge(token, now()),

    stop: () => db.write(({ certificates }) => certificates.release(holder)),
  }

  /** Reads the certificate if it is valid now, and whether failed orders have a pause. */
  async function readStored(
    host: string,
  ): Promise<{ readonly certificate: HostCertificate | null; readonly isPaused: boolean }> {
    const record = await db.read.certificates.find(host)
    const isValid = record?.issued != null && record.issued.expiresAt > now()
    return {
      certificate: isValid ? open(host, record.issued) : null,
      isPaused: record !== null && record.dueAt > now(),
    }
  }

  function open(host: string, issued: IssuedCertificate): HostCertificate {
    const privateKey = openPrivateKey(masterKey, { kind: 'certificate', owner: host, ...issued })
    return { chain: issued.chain, privateKey }
  }

  function order(host: string): Promise<OrderOutcome> {
    const running = ordering.get(host)
    if (running !== undefined) return running
    if (ordering.size >= AT_ONCE) return Promise.resolve('none')
    const started = claimAndOrder(host).finally(() => ordering.delete(host))
    ordering.set(host, started)
    return started
  }

  async function claimAndOrder(host: string): Promise<OrderOutcome> {
    try {
      const time = now()
      const limit = { orders: ORDERS, since: after(-ORDERS_MS) }
      const claim = { holder, now: time, heldUntil: after(HOLD_MS), limit }
      const outcome = await db.write(({ certificates }) => certificates.claim(host, claim))
      if (outcome !== 'claimed') return outcome === 'held' ? 'elsewhere' : 'none'
      await orderClaimed(host)
      return 'ended'
    } catch (error) {
      log.error({ host, err: error }, 'An order of a certificate could not be recorded.')
      return 'none'
    }
  }

  async function orderClaimed(host: string): Promise<void> {
    try {
      const ordered = await authority.order(host, await accountKey(), challenges)
      const { expiresAt, renewAt } = validityOf(ordered, host)
      const sealed = sealPrivateKey(masterKey, { kind: 'certificate', owner: host }, ordered.privateKey)
      const isStored = await db.write(({ certificates }) =>
        certificates.complete(host, holder, { ...sealed, chain: ordered.chain, expiresAt }, renewAt),
      )
      if (isStored) log.info({ host, expires_at: expiresAt }, 'A certificate was issued.')
    } catch (error) {
      const problem = messageOf(error).replace(/\s+/g, ' ').slice(0, MOST_PROBLEM)
      const failures = failuresOf(await db.read.certificates.find(host))
      const dueAt = after(PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0)
      const isStored = await db.write(({ certificates }) => certificates.fail(host, holder, problem, dueAt))
      if (isStored)
        log.warn({ host, problem, due_at: dueAt }, 'A certificate was not issued. It is ordered again.')
    }
  }

  /** The key of the account at the authority, the same for all processes. */
  async function accountKey(): Promise<string> {
    const owner = { kind: 'account', owner: authority.directory } as const
    const created = sealPrivateKey(masterKey, owner, await authority.createAccountKey())
    const stored = await db.write(({ certificates }) => certificates.accountKey(authority.directory, created))
    return openPrivateKey(masterKey, { ...owner, ...stored })
  }
}

/** `ended`: this process ordered. `elsewhere`: another one does. `none`: no order now. */
type OrderOutcome = 'ended' | 'elsewhere' | 'none'

function failuresOf(record: CertificateRecord | null): number {
  return record?.failures ?? 0
}

/** @throws {Error} unless the certificate is for this host and its key. */
function validityOf(
  { chain, privateKey }: OrderedCertificate,
  host: string,
): { readonly expiresAt: string; readonly renewAt: string } {
  const certificate = new X509Certificate(chain)
  if (certificate.checkHost(host) === undefined || !certificate.checkPrivateKey(createPrivateKey(privateKey)))
    throw new Error('The authority issued a certificate for another host or key.')
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  return {
    expiresAt: new Date(to).toISOString(),
    renewAt: new Date(from + (to - from) * RENEWED_AT).toISOString(),
  }
}
