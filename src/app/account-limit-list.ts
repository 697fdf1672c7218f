import { ACCOUNT_LIMITS, type AccountLimit, type AccountLimits } from '../domain/account-limits.ts'
import { PLANS, type Plan } from '../domain/caller.ts'

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  KB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
}

/**
 * Parses `projects=5,draft_bytes=2GB,webhooks=unlimited`.
 *
 * @throws {RangeError} with a message about the form of the list.
 */
export function parseAccountLimits(text: string): Partial<AccountLimits> {
  const entries = text.split(',').map(parseEntry)
  refuseRepeated(entries.map(([name]) => name))
  return Object.fromEntries(entries)
}

/**
 * Parses `free.projects=5,pro.draft_bytes=20GB`.
 *
 * @throws {RangeError} as above.
 */
export function parsePlanLimits(text: string): Partial<Record<Plan, Partial<AccountLimits>>> {
  const entries = text.split(',').map((entry) => {
    const [, plan = '', limit = ''] = /^([a-z]+)\.(.*)$/.exec(entry.trim()) ?? []
    const known = PLANS.find((name) => name === plan)
    if (known === undefined)
      throw new RangeError(`must name a plan (${PLANS.join(', ')}) before each limit, as in free.projects=5`)
    return [known, ...parseEntry(limit)] as const
  })
  refuseRepeated(entries.map(([plan, name]) => `${plan}.${name}`))
  const limits: Partial<Record<Plan, Partial<AccountLimits>>> = {}
  for (const [plan, name, limit] of entries) limits[plan] = { ...limits[plan], [name]: limit }
  return limits
}

function parseEntry(entry: string): readonly [AccountLimit, number] {
  const [name, text = ''] = entry.trim().split('=')
  const known = ACCOUNT_LIMITS.find((one) => one === name)
  if (known === undefined) throw new RangeError(`must be a list of ${ACCOUNT_LIMITS.join(', ')}`)
  return [known, parseAmount(text)]
}

function parseAmount(text: string): number {
  if (text === 'unlimited') return Infinity
  const [, digits = '', unit = ''] = /^(\d{1,9})([KMGT]B)?$/i.exec(text) ?? []
  if (digits === '')
    throw new RangeError('must have numbers such as 500, 2GB (KB, MB, GB or TB) or unlimited after each =')
  return Number(digits) * (UNITS[unit.toUpperCase()] ?? 1)
}

function refuseRepeated(names: readonly string[]): void {
  const repeated = names.find((name, i) => names.indexOf(name) < i)
  if (repeated !== undefined) throw new RangeError(`must name ${repeated} only once`)
}
