import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { toDomainName } from '../custom-domains/domain-name.ts'
import { challengeRecord, challengeToken } from '../domain/domain-proof.ts'
import { ServiceError } from '../domain/errors.ts'
import { prefixed } from '../domain/ids.ts'
import type { NamedDomain } from '../services/projects/domain-operations.ts'
import { emailsByUser, idArgument, print, printOutcome, withExistingDatabase } from './administration.ts'
import { DATA_SETTINGS, withSettings } from './settings.ts'

interface VerifyOptions {
  readonly project?: string
  readonly withoutProof: boolean
}

export function domainsCommand(): Command {
  const list = new Command('list')
    .description('list the custom domains that projects name, with the state of their proofs')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin domains list\n')
    .action(async (_: object, command: Command) => {
      const found = await withExistingDatabase(command, async ({ accounts, domains }) => {
        const emails = await emailsByUser(accounts)
        return (await domains.list()).map((domain) => ({ domain, email: emails.get(domain.userId) ?? null }))
      })
      const shown = found.map(({ domain, email }) => ({ ...presentDomain(domain), user_email: email }))
      const lines = found.map(({ domain, email }) =>
        domainLine(domain, email ?? prefixed('usr', domain.userId)),
      )
      print(command, { domains: shown }, lines.length === 0 ? ['No domains.'] : lines)
    })

  const verify = new Command('verify')
    .description('check a domain now, or accept it without proof')
    .argument('<domain>', 'custom domain of a project')
    .option('--project <id>', 'check it for this project only')
    .option('--without-proof', 'serve the domain on your word: it is not checked again', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Where several projects name a domain, the first one that is proved gets it.

Examples:
  quoin domains verify docs.example.com
  quoin domains verify intranet.example.com --without-proof --project proj_abcdefghjkmnpqrs
`,
    )
    .action(verifyDomain)

  const release = new Command('release')
    .description('take a domain from its project, so that another one can have it')
    .argument('<domain>', 'custom domain of a project')
    .option('--project <id>', 'take it from this project (default: the one that serves it)')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin domains release docs.example.com\n')
    .action(async (name: string, { project }: { project?: string }, command: Command) => {
      const domain = domainArgument(name)
      const released = await withExistingDatabase(command, ({ domains }) =>
        domains.release(domain, projectOption(project)),
      )
      print(command, presentDomain(released), [
        `Released ${domain} from project ${prefixed('proj', released.projectId)}.`,
      ])
    })

  const domains = new Command('domains')
    .description('list, verify and release custom domains')
    .addHelpText('after', '\nExample:\n  quoin domains list\n')
  for (const command of [list, verify, release]) domains.addCommand(withSettings(command, DATA_SETTINGS))
  return domains
}

async function verifyDomain(
  name: string,
  { project, withoutProof }: VerifyOptions,
  command: Command,
): Promise<void> {
  const [domain, projectId] = [domainArgument(name), projectOption(project)]
  const domains = await withExistingDatabase(command, async ({ domains: operations }) =>
    withoutProof ? [await operations.vouch(domain, projectId)] : await operations.verify(domain, projectId),
  )
  const active = domains.find(({ proof }) => proof.status === 'active' && proof.problem === null)
  const failure =
    active === undefined ? new ServiceError('conflict', `${domain} could not be verified.`) : null
  printOutcome(
    command,
    failure,
    { domains: domains.map(presentDomain) },
    domains.map((domain) => domainLine(domain)),
  )
}

function domainArgument(text: string): string {
  const domain = toDomainName(text)
  if (domain === null)
    throw new ConfigError(`${JSON.stringify(text)} is not a domain name such as docs.example.com.`)
  return domain
}

function projectOption(text: string | undefined) {
  return text === undefined ? null : idArgument('proj', text)
}

function presentDomain({ domain, unicode, projectId, userId, proof }: NamedDomain) {
  return {
    domain,
    unicode,
    project_id: prefixed('proj', projectId),
    user_id: prefixed('usr', userId),
    status: proof.status,
    proved_by: proof.provedBy,
    proved_at: proof.provedAt,
    checked_at: proof.checkedAt,
    failed_checks: proof.failures,
    problem: proof.problem,
    txt_record: challengeRecord(domain),
    token: challengeToken(projectId),
  }
}

/**
 * The domain in both spellings, its project, its state, and why the last check failed.
 *
 * @param owner of the project, if it is to be shown.
 */
function domainLine({ domain, unicode, projectId, proof }: NamedDomain, owner?: string): string {
  const name = unicode === domain ? domain : `${domain} (${unicode})`
  const by = proof.provedBy === null ? 'not proved' : `proved by ${proof.provedBy}`
  const problem = proof.problem === null ? '' : `  ${proof.problem}`
  const project = [prefixed('proj', projectId), ...(owner === undefined ? [] : [owner])].join('  ')
  return `${name}  ${project}  ${proof.status}  ${by}${problem}`
}
