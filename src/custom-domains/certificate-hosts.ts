import { X509Certificate } from 'node:crypto'

/**
 * The host names of a certificate, lower case. A wildcard counts as the domain under which it matches every name.
 *
 * @param pem the certificate, first of a chain.
 */
export function certificateHosts(pem: Buffer): readonly string[] {
  const { subjectAltName = '' } = new X509Certificate(pem)
  return [...subjectAltName.matchAll(/(?:^|, )DNS:(?:\*\.)?([^\s,"]+)/g)].map(([, name = '']) =>
    name.toLowerCase(),
  )
}
