import type { CertificateAuthority } from './certificate-authority.ts'

/** Limits on one request and on waiting for an answer, so that an order ends before its claim does. */
const REQUEST_MS = 20_000
const REPEATS = 2
const POLLS = { backoffAttempts: 20, backoffMin: 500, backoffMax: 5_000 }

export interface AcmeTarget {
  /** Address of the authority's directory. */
  readonly directory: string
  /** Address for the authority's notices of expiry; null for none. */
  readonly email: string | null
}

/** An authority that speaks ACME (RFC 8555). It proves hosts by HTTP-01, at port 80. */
export function createAcmeAuthority({ directory, email }: AcmeTarget): CertificateAuthority {
  return {
    directory,

    async createAccountKey() {
      const { crypto } = await loadClient()
      return (await crypto.createPrivateEcdsaKey()).toString()
    },

    async order(host, accountKey, challenges) {
      const { Client, crypto } = await loadClient()
      const [key, csr] = await crypto.createCsr({ altNames: [host] }, await crypto.createPrivateEcdsaKey())
      const client = new Client({ directoryUrl: directory, accountKey, ...POLLS })
      const chain = await client.auto({
        csr,
        ...(email !== null && { email }),
        // The setting that chooses the authority states it.
        termsOfServiceAgreed: true,
        challengePriority: ['http-01'],
        // A request from here may take another way than the authority's, and prove nothing.
        skipChallengeVerification: true,
        async challengeCreateFn(_, challenge, answer) {
          if (challenge.type !== 'http-01')
            throw new Error(`The authority offers no proof over HTTP for ${host}.`)
          await challenges.put(challenge.token, answer)
        },
        challengeRemoveFn: (_, challenge) => challenges.delete(challenge.token),
      })
      return { chain, privateKey: key.toString() }
    },
  }
}

/** Loaded by the first order: most starts need none. */
async function loadClient() {
  const { default: acme } = await import('acme-client')
  const { defaults } = acme.axios as { readonly defaults: { timeout?: number; acmeSettings?: object } }
  defaults.timeout = REQUEST_MS
  defaults.acmeSettings = { ...defaults.acmeSettings, retryMaxAttempts: REPEATS, retryDefaultDelay: 2 }
  return acme
}
