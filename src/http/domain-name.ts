import { z } from 'zod'
import { type DomainRules, refusedDomain, toDomainName } from '../custom-domains/domain-name.ts'
import { type InvalidField, ruleOf } from '../domain/invalid-field.ts'
import type { JsonValue } from '../domain/json.ts'

/** The domain of a project, in any spelling. */
export const domainName = z
  .string()
  .transform((given) => toDomainName(given) ?? '')
  .refine((name) => name !== '', {
    error: 'must be a domain name such as docs.example.com.',
    ...ruleOf('wrong_format'),
  })
  .meta({ maxLength: 253, examples: ['docs.example.com'] })

/** The stored form of a domain in a body. Other values, and text that is no domain, stay as they are. */
export function storedDomain(given: JsonValue | undefined): JsonValue | undefined {
  return typeof given === 'string' ? (toDomainName(given) ?? given) : given
}

/**
 * Refuses a domain that no project may take. The stored one may be sent again, whatever today's rules say.
 *
 * @param path of the field the domain was given in.
 */
export function domainErrors(
  path: string,
  given: JsonValue | undefined,
  stored: string | null,
  rules: DomainRules,
): readonly InvalidField[] {
  const domain = storedDomain(given)
  if (typeof domain !== 'string' || domain === stored || toDomainName(domain) === null) return []
  const message = refusedDomain(domain, rules)
  return message === null ? [] : [{ path, message, code: 'not_allowed' }]
}
