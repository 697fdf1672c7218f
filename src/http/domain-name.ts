import { z } from 'zod'
import type { InvalidField } from '../domain/section.ts'

/** The domain of a project, stored in lower case. */
export const domainName = z
  .string()
  .transform((given) => given.toLowerCase())
  .refine(
    (given) =>
      /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/.test(given),
    'must be a domain name such as docs.example.com.',
  )
  .meta({ maxLength: 253, examples: ['docs.example.com'] })

/**
 * Refuses a domain of the service itself, and every subdomain of one.
 *
 * @param path of the field the domain was given in.
 * @param own hosts of the service itself, lower case.
 */
export function ownDomainErrors(
  path: string,
  given: unknown,
  own: readonly string[],
): readonly InvalidField[] {
  if (typeof given !== 'string') return []
  const domain = given.toLowerCase()
  const isOwn = own.some((host) => domain === host || domain.endsWith(`.${host}`))
  return isOwn ? [{ path, message: 'is a domain of this service and cannot be taken.' }] : []
}
