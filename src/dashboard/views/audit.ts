import { ACT_NAMES, ACTS, AUDIT_TARGETS, type AuditEntry, type AuditTarget } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { type AssetId, type PageId, prefixed } from '../../domain/ids.ts'
import { queryOf } from '../../http/api.ts'
import { may } from '../frame/frame.ts'
import { pagerOf, sliceOf } from '../frame/paging.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { projectPath, settingsFrame } from './project-frame.ts'
import { projectRef } from './projects.ts'

const MINE = '/dashboard/account/audit'

/** The audit log of a project, and of the whole account. */
export function auditViews(
  router: DashboardRouter,
  { frame, auditLog, projects, members, pages, assets, webhooks }: ViewPorts,
): void {
  const { words } = frame

  router.get('/projects/:project/audit', async (ctx) => {
    const { caller, standing = null } = ctx.state
    const ref = projectRef(ctx)
    const query = readQuery(ctx)
    const listed = await auditLog.ofProject(caller, ref, query.filter, query.slice)
    const [{ project }, people, titles, files, hooks] = await Promise.all([
      projects.get(caller, ref),
      members.list(caller, ref),
      pages.titles(caller, ref, targetsOf<PageId>(listed.items, 'page')),
      assets.names(caller, ref, targetsOf<AssetId>(listed.items, 'asset')),
      may(standing, 'webhooks') ? webhooks.list(caller, ref) : [],
    ])
    const emails = new Map(people.map(({ userId, email }) => [userId, email]))
    const names: Readonly<Partial<Record<AuditTarget, ReadonlyMap<string, string>>>> = {
      page: titles,
      asset: files,
      member: new Map(people.map(({ id, email }) => [id, email])),
      webhook: new Map(hooks.map(({ id, url }) => [id, url])),
      project: new Map([[project.id, project.name]]),
    }
    const path = projectPath(project, '/audit')
    frame.show(ctx, 'audit', {
      title: words.areas.audit,
      ...settingsFrame(project, 'audit', words, standing),
      ...listOf(query, listed, path, {
        who: (entry) => emails.get(entry.actor.userId ?? null) ?? null,
        target: ({ act, target }) => names[ACTS[act].target]?.get(target) ?? null,
      }),
    })
  })

  router.get('/account/audit', async (ctx) => {
    const { caller } = ctx.state
    const query = readQuery(ctx)
    const listed = await auditLog.ofAccount(caller, query.filter, query.slice)
    frame.show(ctx, 'audit', {
      title: words.audit.mine,
      crumbs: [{ href: '/dashboard/account', name: words.account.title }],
      ...listOf(query, listed, MINE, {
        who: (entry) => ownName(entry, caller),
        target: () => null,
      }),
    })
  })

  function listOf(
    { query, act }: ReturnType<typeof readQuery>,
    { items, total }: { readonly items: readonly AuditEntry[]; readonly total: number },
    path: string,
    nameOf: {
      readonly who: (entry: AuditEntry) => string | null
      readonly target: (entry: AuditEntry) => string | null
    },
  ) {
    return {
      path,
      act,
      acts: ACT_NAMES,
      pager: pagerOf(path, query, items.length, total),
      entries: items.map((entry) => {
        const { target } = ACTS[entry.act]
        const { via, userId, clientAddress } = entry.actor
        return {
          meaning: words.audit.acts[entry.act],
          act: entry.act,
          target: `${AUDIT_TARGETS[target]}_${entry.target}`,
          name: nameOf.target(entry),
          href: hrefOf(entry),
          who:
            nameOf.who(entry) ?? (userId === undefined ? null : words.audit.former(prefixed('usr', userId))),
          via: words.audit.via[via.kind],
          clientAddress: clientAddress ?? null,
          fields: entry.fields,
          refused:
            entry.reason === null
              ? null
              : words.audit.refused(words.audit.reasons[entry.reason], entry.count),
          createdAt: entry.createdAt,
        }
      }),
    }
  }
}

function readQuery(ctx: DashboardContext) {
  const query = queryOf(ctx)
  const act = ACT_NAMES.find((one) => one === query.get('act')) ?? null
  return { query, act, filter: { act, createdAfter: null, createdBefore: null }, slice: sliceOf(query) }
}

function ownName({ actor }: AuditEntry, { userId, email }: Caller): string | null {
  return actor.userId === userId ? email : null
}

function targetsOf<Id extends string>(entries: readonly AuditEntry[], type: AuditTarget): readonly Id[] {
  return entries.filter(({ act }) => ACTS[act].target === type).map(({ target }) => target as Id)
}

/** Returns the path of the page of an entry's record, if the record still exists. */
function hrefOf({ act, target, projectId }: AuditEntry): string | null {
  if (projectId === null) return null
  const { target: type } = ACTS[act]
  if (type === 'page') return projectPath({ id: projectId }, `/pages/page_${target}`)
  if (type === 'asset') return projectPath({ id: projectId }, `/media/ast_${target}`)
  if (type === 'webhook') return projectPath({ id: projectId }, `/webhooks/whk_${target}`)
  return null
}
