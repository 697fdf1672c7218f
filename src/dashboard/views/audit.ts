import { ACT_NAMES, ACTS, AUDIT_TARGETS, type AuditEntry } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { type MemberId, type PageId, prefixed } from '../../domain/ids.ts'
import { queryOf } from '../../http/api.ts'
import { pagerOf, sliceOf } from '../frame/paging.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { projectPath, settingsFrame } from './project-frame.ts'
import { projectRef } from './projects.ts'

const MINE = '/dashboard/account/audit'

/** What was done, by whom and when: in a project, and in the whole account. */
export function auditViews(
  router: DashboardRouter,
  { frame, auditLog, projects, members, pages }: ViewPorts,
): void {
  const { words } = frame

  router.get('/projects/:project/audit', async (ctx) => {
    const { caller, standing = null } = ctx.state
    const ref = projectRef(ctx)
    const query = readQuery(ctx)
    const listed = await auditLog.ofProject(caller, ref, query.filter, query.slice)
    const [{ project }, people, titles] = await Promise.all([
      projects.get(caller, ref),
      members.list(caller, ref),
      pages.titles(caller, ref, listed.items.flatMap(pageOf)),
    ])
    const emails = new Map(people.map(({ userId, email }) => [userId, email]))
    const invited = new Map(people.map(({ id, email }) => [id, email]))
    const nameOfTarget = ({ act, target }: AuditEntry) => {
      const { target: type } = ACTS[act]
      if (type === 'page') return titles.get(target as PageId) ?? null
      if (type === 'member') return invited.get(target as MemberId) ?? null
      return type === 'project' ? project.name : null
    }
    const path = projectPath(project, '/audit')
    frame.show(ctx, 'audit', {
      title: words.areas.audit,
      ...settingsFrame(project, 'audit', words, standing),
      ...listOf(query, listed, path, {
        who: (entry) => emails.get(entry.actor.userId ?? null) ?? null,
        target: nameOfTarget,
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

function pageOf({ act, target }: AuditEntry): readonly PageId[] {
  return ACTS[act].target === 'page' ? [target as PageId] : []
}

/** Where the record of an entry is shown, if it exists still. */
function hrefOf({ act, target, projectId }: AuditEntry): string | null {
  if (projectId === null) return null
  const { target: type } = ACTS[act]
  if (type === 'page') return projectPath({ id: projectId }, `/pages/page_${target}`)
  if (type === 'asset') return projectPath({ id: projectId }, `/media/ast_${target}`)
  if (type === 'webhook') return projectPath({ id: projectId }, `/webhooks/whk_${target}`)
  return null
}
