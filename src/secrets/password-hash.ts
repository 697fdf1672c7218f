import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { UnavailableError } from '../domain/errors.ts'

/** Memory and time of one computation: 128 · N · r bytes. */
export interface PasswordCost {
  /** Base-2 logarithm of scrypt's N. */
  readonly logN: number
  readonly r: number
  readonly p: number
}

/** 32 MiB, and 50 to 100 ms of a usual core. Stored hashes name their own, so it can be raised. */
const COST: PasswordCost = { logN: 15, r: 8, p: 1 }

const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * Computations at a time. They run in the pool of four threads that also reads files and looks up names. Half of it
 * stays free for these tasks.
 */
const AT_ONCE = 2

/** Computations that wait; the last of them does so for about 3 s. Further ones are refused. */
const MAX_WAITING = 60
const RETRY_AFTER_SECONDS = 3

const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Hashes passwords with scrypt, a few at a time. */
export interface Passwords {
  /**
   * Returns `$scrypt$ln=15,r=8,p=1$<salt>$<hash>`, in base64 without padding.
   *
   * @throws {UnavailableError} when too many computations wait; so does `verify`.
   */
  hash(password: string): Promise<string>
  /**
   * Reports whether the password has this hash.
   *
   * @param stored null where there is none: the same work is then done, for the answer false.
   */
  verify(password: string, stored: string | null): Promise<boolean>
  /** Reports whether the hash was computed at another cost than new ones. */
  isOutdated(stored: string): boolean
}

export function createPasswords(cost: PasswordCost = COST): Passwords {
  const waiting: (() => void)[] = []
  let running = 0
  const nothing = encode(cost, new Uint8Array(SALT_BYTES), new Uint8Array(HASH_BYTES))

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES)
      return encode(cost, salt, await inTurn(() => derive(password, salt, cost)))
    },

    async verify(password, stored) {
      const known = decode(stored ?? nothing)
      const hash = await inTurn(() => derive(password, known.salt, known.cost))
      return timingSafeEqual(hash, known.hash) && stored !== null
    },

    isOutdated(stored) {
      const { logN, r, p } = decode(stored).cost
      return logN !== cost.logN || r !== cost.r || p !== cost.p
    },
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < AT_ONCE) running += 1
    else {
      if (waiting.length >= MAX_WAITING)
        throw new UnavailableError('Too many people sign in at once. Try again soon.', RETRY_AFTER_SECONDS)
      // The one that ends hands its turn over.
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

function derive(password: string, salt: Uint8Array, { logN, r, p }: PasswordCost): Promise<Uint8Array> {
  const N = 2 ** logN
  // Keyboards and systems write the same letter in different ways.
  const text = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    const options = { N, r, p, maxmem: 128 * r * (N + p + 64) }
    scrypt(text, salt, HASH_BYTES, options, (error, hash) => (error === null ? resolve(hash) : reject(error)))
  })
}

function encode({ logN, r, p }: PasswordCost, salt: Uint8Array, hash: Uint8Array): string {
  return `$scrypt$ln=${logN},r=${r},p=${p}$${base64(salt)}$${base64(hash)}`
}

function decode(stored: string) {
  const [, logN, r, p, salt, hash] = FORM.exec(stored) ?? []
  if (salt === undefined || hash === undefined) throw new Error('A stored password hash has an unknown form.')
  return {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('base64')
    .replace(/={1,2}$/, '')
}
