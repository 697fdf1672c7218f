import type { Knex } from 'knex'

interface NamedProject {
  readonly id: string
  readonly custom_domain: string
  readonly updated_at: string
}

/**
 * Lets several projects name one domain, of which one serves it. Domains from before stay live without a proof, until
 * another account proves one of them.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('projects', (table) => {
    table.dropUnique(['custom_domain'])
    /** The custom domain without `www.`; null without a domain. */
    table.string('domain_key', 253)
    /** `pending`, `active` or `failed`; null without a domain. */
    table.string('domain_status', 8)
    /** The rest of the proof, JSON. */
    table.text('domain_proof')
  })

  const projects = await db('projects')
    .whereNotNull('custom_domain')
    .select<NamedProject[]>('id', 'custom_domain', 'updated_at')
  const named = new Set(projects.map((project) => project.custom_domain))
  for (const { id, custom_domain: domain, updated_at: since } of projects) {
    const short = domain.replace(/^(?:www\.)+(?=[^.]+\.)/, '')
    const proof = { provedBy: null, provedAt: null, since, checkedAt: null, failures: 0, problem: null }
    await db('projects')
      .where({ id })
      .update({
        // Where one project has a name and another one its `www.`, both stay live.
        domain_key: named.has(short) ? domain : short,
        domain_status: 'active',
        domain_proof: JSON.stringify(proof),
      })
  }

  await db.schema.alterTable('projects', (table) => {
    table.unique(['user_id', 'domain_key'])
  })
  await db.raw(
    "CREATE UNIQUE INDEX projects_served_domain ON projects (domain_key) WHERE domain_status = 'active'",
  )
}
