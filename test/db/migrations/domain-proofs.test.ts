import { join } from 'node:path'
import type { Knex } from 'knex'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { up as foundation } from '../../../src/db/migrations/001-foundation.ts'
import { up as jobWarnings } from '../../../src/db/migrations/002-job-warnings.ts'
import { up as accountUsage } from '../../../src/db/migrations/003-account-usage.ts'
import { up as domainProofs } from '../../../src/db/migrations/004-domain-proofs.ts'
import { createProjectRepository } from '../../../src/db/projects.ts'
import type { AuditRepository } from '../../../src/db/repositories/audit.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { SERVICE } from '../../../src/domain/audit.ts'
import { newDomainProof } from '../../../src/domain/domain-proof.ts'
import type { ProjectId } from '../../../src/domain/ids.ts'
import { randomId } from '../../../src/services/new-id.ts'
import { recordDomainCheck } from '../../../src/services/projects/domain-check.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const NOW = '2026-01-01T00:00:00.000Z'

/** A database of the version before proofs, with one project per domain. */
async function databaseBefore(domains: readonly (string | null)[]): Promise<Knex> {
  const connections = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(() => createDatabase(connections).close())
  const { writer } = connections
  await foundation(writer)
  await jobWarnings(writer)
  await accountUsage(writer)
  for (const [n, domain] of domains.entries()) {
    const user = `user${n}`
    await writer('users').insert({
      id: user,
      email: `${n}@example.com`,
      can_create_projects: true,
      created_at: NOW,
    })
    const project = {
      id: `p${n}`,
      user_id: user,
      name: 'Site',
      slug: 'site',
      status: 'active',
      context: '',
      legacy_settings: '{}',
      hosting_mode: 'full_host',
      custom_domain: domain,
      ssl_enabled: false,
      cdn_enabled: true,
      base_path: '/',
      manifest: 'full',
      created_at: NOW,
      updated_at: NOW,
      version: 1,
    }
    await writer('projects').insert(project)
    const texts = ['theme', 'nav_links', 'docs_nav', 'shared_footer', 'branding', 'site_routes']
    const settings = Object.fromEntries(texts.map((name) => [name, '{}']))
    await writer('settings').insert({ project_id: `p${n}`, ...settings, updated_at: NOW, version: 1 })
  }
  return writer
}

test('sites that were live on a domain stay live there, also one with www. next to one without', async () => {
  const db = await databaseBefore(['acme.com', 'www.acme.com', 'www.other.com', 'docs.acme.com', null])
  await domainProofs(db)
  const projects = createProjectRepository(db)
  const servedBy = async (customDomain: string) => (await projects.findByHost({ customDomain }))?.id ?? null
  expect(await servedBy('acme.com')).toBe('p0')
  expect(await servedBy('www.acme.com')).toBe('p1')
  expect(await servedBy('www.other.com')).toBe('p2')
  expect(await servedBy('other.com')).toBe('p2')
  expect(await servedBy('docs.acme.com')).toBe('p3')
  expect((await projects.find('p4' as ProjectId))?.domainProof).toBeNull()
})

test('sites from before proofs give their domain, with www. and without, to the account that proves it', async () => {
  const db = await databaseBefore(['squatted.com', null, 'www.squatted.com'])
  await domainProofs(db)
  const projects = createProjectRepository(db)
  const [squatter, owner] = ['p0' as ProjectId, 'p1' as ProjectId]
  const hosting = { customDomain: 'squatted.com' }
  await projects.update(owner, { hosting, domainProof: newDomainProof('pending', NOW) }, NOW)
  const ports = { newId: randomId, now: () => NOW }
  // The log is of a later migration.
  const audit = { insert: async () => {} } as unknown as AuditRepository
  await recordDomainCheck({ projects, audit }, ports, SERVICE, owner, 'squatted.com', { provedBy: 'dns' })
  expect((await projects.find(owner))?.domainProof).toMatchObject({ status: 'active', provedBy: 'dns' })
  expect((await projects.find(squatter))?.domainProof).toMatchObject({ status: 'failed' })
  for (const customDomain of ['squatted.com', 'www.squatted.com'])
    expect((await projects.findByHost({ customDomain }))?.id).toBe(owner)
  expect((await projects.find('p2' as ProjectId))?.domainProof).toMatchObject({ status: 'failed' })
})

test('a host is looked up in an index, by both names of a site at once', async () => {
  const db = await databaseBefore([])
  await domainProofs(db)
  const queries: Knex.Sql[] = []
  db.on('query', (query) => queries.push(query))
  await createProjectRepository(db).findByHost({ customDomain: 'www.acme.com' })
  expect(queries).toHaveLength(1)
  const [{ sql, bindings }] = queries as [Knex.Sql]
  const plan: readonly { readonly detail: string }[] = await db.raw(`EXPLAIN QUERY PLAN ${sql}`, [
    ...bindings,
  ])
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH projects USING INDEX projects_served_domain (domain_key=?)',
  ])
})
