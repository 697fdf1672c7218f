import type { ProveDomain } from '../custom-domains/prove-domain.ts'
import type { PublicAddresses } from '../domain/project.ts'
import { systemTime } from '../platform/clock.ts'
import { createAccountLimits } from '../services/accounts/account-limits.ts'
import { type AccountService, createAccountService } from '../services/accounts/accounts.ts'
import { createSetUpLinkIssuer, type SetUpLinkIssuer } from '../services/accounts/set-up-links.ts'
import { randomId } from '../services/new-id.ts'
import { rewrapKeys } from '../services/operating/master-keys.ts'
import { createOperations, type Operations } from '../services/operating/operations.ts'
import { createDomainOperations, type DomainOperations } from '../services/projects/domain-operations.ts'
import { createProjectService, type ProjectService } from '../services/projects/projects.ts'
import { createResolve } from '../webhooks/resolve.ts'
import { addressesOf, type Config, localUrl } from './config.ts'
import { openDatabase } from './database.ts'
import { openProveDomain } from './domains.ts'
import { openInstallation } from './installation.ts'

/** The services behind an operator's commands. A server may run on the same database meanwhile. */
export interface Administration {
  readonly accounts: AccountService
  readonly setUpLinks: SetUpLinkIssuer
  readonly projects: Pick<ProjectService, 'createFor' | 'setStatus' | 'all'>
  readonly domains: DomainOperations
  readonly operations: Operations
  readonly addresses: PublicAddresses
  /** URL at which clients reach the API, without a trailing slash. */
  readonly baseUrl: string
  close(): Promise<void>
}

/** @throws {ConfigError} with one line if the database cannot be used. */
export async function openAdministration(
  config: Config,
  adapters: { readonly proveDomain?: ProveDomain } = {},
): Promise<Administration> {
  const { db } = await openDatabase(config)
  const accountLimits = createAccountLimits({ planLimits: config.planLimits, now: systemTime })
  const needsProof = config.domainProof
  const proveDomain = adapters.proveDomain ?? openProveDomain(config, createResolve())
  const context = { db, accountLimits, newId: randomId, now: systemTime, needsProof, proveDomain }
  const baseUrl = config.baseUrl ?? localUrl(config)
  return {
    accounts: createAccountService(context),
    setUpLinks: createSetUpLinkIssuer(context),
    projects: createProjectService({ ...context, hasCdn: config.purge !== null }),
    domains: createDomainOperations(context),
    operations: createOperations(context),
    addresses: addressesOf(config, baseUrl),
    baseUrl,
    close: () => db.close(),
  }
}

/**
 * Wraps every content key and webhook secret with the newest master key. Resolves with the number that changed.
 *
 * @throws {ConfigError} with one line if the database or the master key cannot be used.
 */
export async function rewrapWithNewest(config: Config): Promise<number> {
  const { db, masterKey } = await openInstallation(config)
  try {
    return await rewrapKeys(db, masterKey)
  } finally {
    await db.close()
  }
}
