/** Issuer of certificates for hosts that this service controls. */
export interface CertificateAuthority {
  /** Identifies the authority: its directory. */
  readonly directory: string
  /** A new private key for an account, PEM. */
  createAccountKey(): Promise<string>
  /**
   * Orders a certificate for one host. The authority asks the host for the answers of challenges meanwhile.
   *
   * @throws {Error} whose message says why the authority refused, or why it cannot be reached.
   */
  order(host: string, accountKey: string, challenges: Challenges): Promise<OrderedCertificate>
}

/** Answers of challenges, as they are served at `/.well-known/acme-challenge/{token}`. */
export interface Challenges {
  put(token: string, answer: string): Promise<void>
  delete(token: string): Promise<void>
}

/** PEM, the certificate of the host first in the chain. */
export interface OrderedCertificate {
  readonly chain: string
  readonly privateKey: string
}
