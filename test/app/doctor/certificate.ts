import { generate } from 'selfsigned'
import { DAY_MS } from './findings.ts'

/** A certificate of its own issuer for 90 days. */
export async function certificate(host: string, notBeforeDate: Date) {
  return generate([{ name: 'commonName', value: host }], {
    notBeforeDate,
    notAfterDate: new Date(notBeforeDate.getTime() + 90 * DAY_MS),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }],
  })
}
