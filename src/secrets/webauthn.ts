import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { RelyingParty } from '../domain/relying-party.ts'

export interface VerifiedCredential {
  /** Base64url. */
  readonly credentialId: string
  /** COSE key, base64url. */
  readonly publicKey: string
  readonly counter: number
}

/** Time that a browser gives a person to choose a passkey. */
const TIMEOUT_MS = 5 * 60 * 1000

/** Options for `navigator.credentials.create`, as JSON: a passkey that names its user, and asks for a PIN or a finger. */
export async function registrationOptions({
  party,
  user,
  challenge,
  exclude,
}: {
  readonly party: RelyingParty
  readonly user: { readonly id: string; readonly name: string }
  readonly challenge: Uint8Array
  /** Credential ids that the user has already. */
  readonly exclude: readonly string[]
}): Promise<string> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: 'Quoin',
    rpID: party.id,
    userID: Uint8Array.from(Buffer.from(user.id)),
    userName: user.name,
    challenge: Uint8Array.from(challenge),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: exclude.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return JSON.stringify(options)
}

/** Options for `navigator.credentials.get`, as JSON. They name no user, so that they tell nothing about accounts. */
export async function signInOptions(party: RelyingParty, challenge: Uint8Array): Promise<string> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: Uint8Array.from(challenge),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
  })
  return JSON.stringify(options)
}

/**
 * Checks what `navigator.credentials.create` returned.
 *
 * @param response JSON.
 * @param isChallenge whether the challenge in it is one of ours.
 * @throws {Error} with the reason, for logs.
 */
export async function verifyRegistration(
  response: string,
  party: RelyingParty,
  isChallenge: (challenge: string) => boolean,
): Promise<VerifiedCredential> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: JSON.parse(response) as RegistrationResponseJSON,
    expectedChallenge: isChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  })
  if (!verified || registrationInfo === undefined) throw new Error('The attestation could not be verified.')
  const { id, publicKey, counter } = registrationInfo.credential
  return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter }
}

/** The credential that an answer of `navigator.credentials.get` names; null for any other text. */
export function namedCredential(response: string): string | null {
  try {
    const { id } = JSON.parse(response) as { readonly id?: unknown }
    return typeof id === 'string' && /^[\w-]{1,1364}$/.test(id) ? id : null
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

/**
 * Checks what `navigator.credentials.get` returned.
 *
 * @returns the counter of the authenticator after it.
 * @throws {Error} with the reason, for logs.
 */
export async function verifySignIn(
  response: string,
  party: RelyingParty,
  isChallenge: (challenge: string) => boolean,
  { credentialId, publicKey, counter }: VerifiedCredential,
): Promise<number> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: JSON.parse(response) as AuthenticationResponseJSON,
    expectedChallenge: isChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: credentialId,
      publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')),
      counter,
    },
    requireUserVerification: true,
  })
  if (!verified) throw new Error('The signature is wrong.')
  return authenticationInfo.newCounter
}
