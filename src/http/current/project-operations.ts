import { prefixed } from '../../domain/ids.ts'
import { type PublicAddresses, siteOrigin } from '../../domain/project.ts'
import type { PageService } from '../../services/pages/pages.ts'
import type { DomainService } from '../../services/projects/domains.ts'
import type { ProjectService } from '../../services/projects/projects.ts'
import type { StyleService } from '../../services/projects/styles.ts'
import type { PublishingService } from '../../services/publishing/publishing.ts'
import { idParam } from '../answer-fields.ts'
import type { Representation } from '../api.ts'
import {
  CreateProject,
  GetProject,
  ListProjects,
  type ProjectReader,
  projectSchema,
  READ_ONLY,
  SETTINGS_READ_ONLY,
  settingsSchema,
  writtenCss,
} from '../bodies/project-schemas.ts'
import { EmptyBody, readNoFields } from '../bodies/publish-schemas.ts'
import { type ApiRequest, type Endpoint, endpointsWith, record } from '../endpoint.ts'
import { changedAfter, pagingOf, walked } from '../list-walk.ts'
import { requestBody } from '../openapi/body.ts'
import { json } from '../openapi/operation.ts'
import { presentProject, presentProjectItem } from '../present-project.ts'
import { presentContents, presentSettings } from './present.ts'
import {
  DeletedProject,
  Project,
  ProjectList,
  ProjectWithContents,
  Settings,
  UpdatedSettings,
} from './project-answers.ts'

export interface ProjectOperationPorts {
  readonly projects: ProjectService
  readonly styles: StyleService
  readonly domains: DomainService
  readonly pages: PageService
  readonly publishing: PublishingService
  readonly addresses: PublicAddresses
  /** Reads bodies about projects, with the installed themes. */
  readonly projectReader: ProjectReader
}

const endpoint = endpointsWith<ProjectOperationPorts>()

const params = idParam('proj')

/**
 * Operations on projects and their settings.
 *
 * @param themes names of the installed themes.
 */
export function projectOperations(themes: readonly string[]): readonly Endpoint<ProjectOperationPorts>[] {
  return [
    endpoint({
      id: 'listProjects',
      method: 'get',
      path: '/projects',
      tag: 'Projects',
      summary: 'List projects',
      client: 'projects.list',
      description: 'A key that is restricted to one project lists only that project.',
      query: ListProjects,
      answers: [json(200, 'The projects.', ProjectList)],
      async run({ caller, query, walk }, { projects }) {
        const paging = pagingOf(walk, query)
        const filter = {
          status: query.status === 'all' ? null : query.status,
          domain: query.domain ?? null,
          folder: query.folder ?? null,
          createdAfter: query.created_after ?? null,
          createdBefore: query.created_before ?? null,
          updatedAfter: changedAfter(walk),
        }
        const found = await projects.list(caller, filter, paging)
        return walked(walk, paging, found, presentProjectItem, { hasTail: true })
      },
    }),
    endpoint({
      id: 'createProject',
      method: 'post',
      path: '/projects',
      tag: 'Projects',
      summary: 'Create a project',
      client: 'projects.create',
      description:
        'Requires a user who may create projects, and a key that is not restricted to one project.',
      body: {
        schema: requestBody(CreateProject, { id: 'CreateProject', ignored: READ_ONLY }),
        required: true,
        example: { name: 'My site' },
      },
      answers: [json(201, 'The new project.', Project)],
      async run({ caller, body }, { projects, projectReader }) {
        const created = await projects.create(caller, () => projectReader.readNew(body))
        return record(presentProject(created), { status: 201, version: created.project.version })
      },
    }),
    endpoint({
      id: 'getProject',
      method: 'get',
      path: '/projects/{id}',
      tag: 'Projects',
      summary: 'Get a project',
      client: 'projects.get',
      params,
      query: GetProject,
      answers: [json(200, 'The project.', ProjectWithContents)],
      async run({ caller, query: { include = [] }, param }, { projects, pages, addresses }) {
        const found = await projects.get(caller, param('id'))
        const [newest, stats] = await Promise.all([
          include.includes('pages') ? pages.newest(caller, param('id')) : null,
          include.includes('stats') ? pages.stats(caller, param('id')) : null,
        ])
        return record(
          { ...presentProject(found), ...presentContents(newest, stats) },
          {
            version: found.project.version,
            headers: { Link: `<${siteOrigin(found.project, addresses)}/>; rel="alternate"` },
          },
        )
      },
    }),
    endpoint({
      id: 'updateProject',
      method: 'put',
      path: '/projects/{id}',
      tag: 'Projects',
      summary: 'Change a project',
      client: 'projects.update',
      agents: 'confirm',
      description:
        'Fields that the body leaves out stay unchanged, also inside `settings` and `hosting`. An archived project accepts only a change of its status.',
      params,
      body: {
        schema: requestBody(projectSchema(themes), { id: 'UpdateProject', ignored: READ_ONLY }),
        required: true,
        example: { name: 'Our site', domain: 'www.example.com' },
      },
      answers: [json(200, 'The updated project.', Project)],
      errors: ['conflict'],
      current: currentProject,
      async run({ caller, body, param, match }, { projects, projectReader, styles }) {
        const styleFaults = await styles.issues(caller, param('id'), writtenCss(body))
        const updated = await projects.update(caller, param('id'), {
          changesOnlyStatus: (stored) => projectReader.changesOnlyStatus(body, stored),
          read(stored) {
            match(stored.project)
            return projectReader.readUpdate(body, stored, styleFaults)
          },
        })
        return record(presentProject(updated), { version: updated.project.version })
      },
    }),
    endpoint({
      id: 'verifyDomain',
      method: 'post',
      path: '/projects/{id}/domain/verify',
      tag: 'Projects',
      summary: 'Check the domain of a project again',
      client: 'projects.verifyDomain',
      description: [
        'The check runs within seconds; read the project (`Location`) to see its result in `hosting.domain_status` and `domain_challenge`.',
        'A failed domain is pending again. A domain is also checked when it is set, every few minutes while it is pending, and weekly.',
      ].join(' '),
      params,
      body: { schema: EmptyBody, required: false },
      answers: [json(202, 'The project, whose check is scheduled.', Project)],
      errors: ['conflict'],
      async run({ caller, body, param }, { domains }) {
        const found = await domains.requestCheck(caller, param('id'), () => readNoFields(body))
        return record(presentProject(found), {
          status: 202,
          headers: { Location: `/projects/${prefixed('proj', found.project.id)}` },
          version: found.project.version,
        })
      },
    }),
    endpoint({
      id: 'deleteProject',
      method: 'delete',
      path: '/projects/{id}',
      tag: 'Projects',
      summary: 'Delete an archived project',
      client: 'projects.delete',
      description: 'Deletes the project with its pages and all published objects.',
      params,
      answers: [json(200, 'The record was deleted.', DeletedProject)],
      errors: ['conflict'],
      current: currentProject,
      async run({ caller, param, match }, { publishing }) {
        const id = await publishing.removeProject(caller, param('id'), match)
        return record({ id: prefixed('proj', id), deleted: true })
      },
    }),
    endpoint({
      id: 'getSettings',
      method: 'get',
      path: '/projects/{id}/settings',
      tag: 'Settings',
      summary: 'Get the settings of a project',
      client: 'settings.get',
      params,
      answers: [json(200, 'The settings.', Settings)],
      async run({ caller, param }, { projects, addresses }) {
        const found = await projects.getWithProgress(caller, param('id'))
        return record(presentSettings(found, addresses), { version: found.settings.version })
      },
    }),
    endpoint({
      id: 'updateSettings',
      method: 'put',
      path: '/projects/{id}/settings',
      tag: 'Settings',
      summary: 'Change the settings of a project',
      client: 'settings.update',
      description:
        'Fields that the body leaves out stay unchanged; lists and objects are replaced as a whole. A page shows new settings once it is published again.',
      params,
      body: {
        schema: requestBody(settingsSchema(themes), { id: 'UpdateSettings', ignored: SETTINGS_READ_ONLY }),
        required: true,
        example: { footer_text: 'Made with care', nav_links: [{ label: 'Docs', href: '/docs' }] },
      },
      answers: [json(200, 'The changed fields.', UpdatedSettings)],
      current: currentSettings,
      async run({ caller, body, param, match }, { projects, projectReader, styles }) {
        const styleFaults = await styles.issues(caller, param('id'), body['custom_css'])
        const { project, settings } = await projects.updateSettings(
          caller,
          param('id'),
          (stored) => {
            match(stored.settings)
            return projectReader.readSettings(body, styleFaults, stored.project.hosting.slugs)
          },
          () => projectReader.settingsSource(body),
        )
        return record(
          {
            project_id: prefixed('proj', project.id),
            updated_fields: projectReader.suppliedSettings(body),
            updated_at: settings.updatedAt,
          },
          { version: settings.version },
        )
      },
    }),
  ]
}

/** Reads a project as its GET answers it, for any caller who may change it. */
async function currentProject(
  { caller, param }: ApiRequest,
  { projects }: ProjectOperationPorts,
): Promise<Representation> {
  const found = await projects.get({ ...caller, permissions: ['read'] }, param('id'))
  return { version: found.project.version, body: { data: presentProject(found) } }
}

async function currentSettings(
  { caller, param }: ApiRequest,
  { projects, addresses }: ProjectOperationPorts,
): Promise<Representation> {
  const found = await projects.getWithProgress({ ...caller, permissions: ['read'] }, param('id'))
  return { version: found.settings.version, body: { data: presentSettings(found, addresses) } }
}
