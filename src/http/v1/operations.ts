import type { DomainRules } from '../../custom-domains/domain-name.ts'
import { keyOf } from '../../domain/caller.ts'
import type { Page as PageRecord } from '../../domain/page.ts'
import { DEFAULT_HOSTING, type Project as ProjectRecord } from '../../domain/project.ts'
import { assertPermitted } from '../../services/access.ts'
import type { JobService } from '../../services/jobs/jobs.ts'
import type { PageService } from '../../services/pages/pages.ts'
import type { ProjectService } from '../../services/projects/projects.ts'
import type { DataModeService } from '../../services/publishing/data-mode.ts'
import { DEFAULT_OPTIONS, type PublishingService } from '../../services/publishing/publishing.ts'
import { idParam } from '../answer-fields.ts'
import type { Representation } from '../api.ts'
import { type AssetOperationPorts, assetOperations } from '../asset-operations.ts'
import { type ApiAnswer, type ApiRequest, CONTINUES, type Endpoint, endpointsWith } from '../endpoint.ts'
import {
  ChangeDataMode,
  PageRef,
  presentDataModeAction,
  readDataModeAction,
  readPageRef,
} from '../legacy-bodies.ts'
import { requestBody } from '../openapi/body.ts'
import { json, type Operation } from '../openapi/operation.ts'
import { pageEndpoints } from '../page-endpoints.ts'
import { parseBody } from '../parse.ts'
import {
  ChangedDataMode,
  CreatedProject,
  DataModeStatus,
  Page,
  PageList,
  PendingPage,
  Project,
  ProjectList,
  PublishedPage,
  Settings,
  UnpublishedPage,
  UpdatedSettings,
  User,
} from './answers.ts'
import { enveloped, envelopedList } from './envelope.ts'
import { CreatePage, ListPages, readCreatePage, readUpdatePage, UpdatePage } from './page-schemas.ts'
import {
  presentPage,
  presentPageItem,
  presentPending,
  presentProject,
  presentProjectItem,
  presentPublished,
  presentSettings,
  presentUnpublished,
} from './present.ts'
import { LEGACY_ASSET_FORM } from './present-asset.ts'
import { CreateProject, ListProjects, readUpdateProject, UpdateProject } from './project-schemas.ts'
import { createSettingsReader, settingsSchema } from './settings-schemas.ts'

export interface LegacyOperationPorts extends AssetOperationPorts {
  readonly projects: ProjectService
  readonly pages: PageService
  readonly publishing: PublishingService
  readonly dataMode: DataModeService
  readonly jobs: JobService
  readonly domainRules: DomainRules
}

const endpoint = endpointsWith<LegacyOperationPorts>()

const { currentPage, pageNamedByBody, pending } = pageEndpoints(
  ({ page }) => enveloped(presentPage(page)),
  (job) => enveloped(presentPending(job)),
)

const project = idParam('proj')
const page = idParam('page')
const tag = 'Legacy'
const EVERY_PROJECT = { status: null, domain: null, createdAfter: null, createdBefore: null }
const EVERY_PAGE = {
  tag: null,
  type: null,
  status: null,
  subroute: null,
  slug: null,
  createdAfter: null,
  createdBefore: null,
  updatedAfter: null,
  updatedBefore: null,
}

/**
 * The operations of the legacy surface: what its table lists, and assets as the current surface has them.
 *
 * @param themes names of the installed themes.
 */
export function legacyOperations(
  themes: readonly string[],
): readonly (Operation | Endpoint<LegacyOperationPorts>)[] {
  const settingsReader = createSettingsReader(themes)
  return [
    endpoint({
      id: 'legacyListProjects',
      method: 'get',
      path: '/v1/projects',
      tag,
      summary: 'List projects',
      description: 'Newest first.',
      query: ListProjects,
      answers: [json(200, 'The projects.', ProjectList)],
      async run({ caller, query: { limit, offset } }, { projects }) {
        const paging = { sort: 'created_at', order: 'desc', limit, offset } as const
        const listed = await projects.list(caller, EVERY_PROJECT, paging)
        return { body: envelopedList(listed, offset, ({ project }) => presentProjectItem(project)) }
      },
    }),
    endpoint({
      id: 'legacyCreateProject',
      method: 'post',
      path: '/v1/projects',
      tag,
      summary: 'Create a project',
      description:
        'Requires a user who may create projects, and a key that is not restricted to one project.',
      body: {
        schema: requestBody(CreateProject, { id: 'LegacyCreateProject' }),
        required: true,
        example: { name: 'My site' },
      },
      answers: [json(201, 'The new project.', CreatedProject)],
      async run({ caller, body }, { projects }) {
        const { project } = await projects.create(caller, () => ({
          name: parseBody(CreateProject, body).name,
          slugs: DEFAULT_HOSTING.slugs,
        }))
        return { status: 201, body: enveloped(presentProjectItem(project)), version: project.version }
      },
    }),
    endpoint({
      id: 'legacyGetProject',
      method: 'get',
      path: '/v1/projects/{id}',
      tag,
      summary: 'Get a project',
      params: project,
      answers: [json(200, 'The project.', Project)],
      async run({ caller, param }, { projects }) {
        return projectAnswer(await projects.get(caller, param('id')))
      },
    }),
    endpoint({
      id: 'legacyUpdateProject',
      method: 'put',
      path: '/v1/projects/{id}',
      tag,
      summary: 'Change a project',
      description:
        'Fields that the body leaves out stay unchanged; keys of `settings` are merged with the stored ones.',
      params: project,
      body: {
        schema: requestBody(UpdateProject, { id: 'LegacyUpdateProject' }),
        required: true,
        example: { context: 'A bakery in Bruges.', settings: { custom_domain: 'www.example.com' } },
      },
      answers: [json(200, 'The updated project.', Project)],
      errors: ['conflict'],
      current: currentProject,
      async run({ caller, body, param, match }, { projects, domainRules }) {
        const updated = await projects.update(caller, param('id'), {
          changesOnlyStatus: () => false,
          read(stored) {
            match(stored.project)
            return readUpdateProject(body, stored, domainRules)
          },
        })
        return projectAnswer(updated)
      },
    }),
    endpoint({
      id: 'legacyListPages',
      method: 'get',
      path: '/v1/pages',
      tag,
      summary: 'List the pages of a project',
      description: 'Newest first.',
      query: ListPages,
      answers: [json(200, 'The pages.', PageList)],
      async run({ caller, query }, { pages }) {
        const { project_id: project, limit, offset, tag = null } = query
        const paging = { sort: 'created_at', order: 'desc', limit, offset } as const
        const listed = await pages.list(caller, project, { ...EVERY_PAGE, tag }, paging)
        return { body: envelopedList(listed, offset, presentPageItem) }
      },
    }),
    endpoint({
      id: 'legacyCreatePage',
      method: 'post',
      path: '/v1/pages',
      tag,
      summary: 'Create a page',
      body: {
        schema: requestBody(CreatePage, { id: 'LegacyCreatePage', either: ['page_name', 'title'] }),
        required: true,
        example: {
          project_id: 'k3v9q2m7x4tz8wpa',
          page_name: 'Opening hours',
          slug: 'opening-hours',
          type: 'post',
        },
      },
      answers: [json(201, 'The new page.', Page)],
      errors: ['conflict'],
      async run({ caller, body }, { pages }) {
        const project = body['project_id']
        if (typeof project !== 'string') {
          // Without a project id there is nothing to look up: validation reports the missing field.
          assertPermitted(caller, ['write'])
          readCreatePage(body, themes, 'standard')
        }
        const created = await pages.create(caller, String(project), ({ project: { hosting } }) =>
          readCreatePage(body, themes, hosting.slugs),
        )
        return { ...pageAnswer(created), status: 201 }
      },
    }),
    endpoint({
      id: 'legacyGetPage',
      method: 'get',
      path: '/v1/pages/{id}',
      tag,
      summary: 'Get a page',
      params: page,
      answers: [json(200, 'The page.', Page)],
      async run({ caller, param }, { pages }) {
        return pageAnswer(await pages.get(caller, param('id')))
      },
    }),
    endpoint({
      id: 'legacyUpdatePage',
      method: 'put',
      path: '/v1/pages/{id}',
      tag,
      summary: 'Change a page',
      description:
        'Fields that the body leaves out stay unchanged. The live version does not change until the page is published again.',
      params: page,
      body: {
        schema: requestBody(UpdatePage, { id: 'LegacyUpdatePage', either: ['page_name', 'title'] }),
        required: true,
        example: { markdown_content: 'Closed on **Sundays**.' },
      },
      answers: [json(200, 'The updated page.', Page)],
      errors: ['conflict'],
      current: currentPage,
      async run({ caller, body, param, match }, { pages }) {
        const updated = await pages.update(
          caller,
          param('id'),
          ['write'],
          (stored, _, { project: { hosting } }) => {
            match(stored)
            return readUpdatePage(body, stored, themes, hosting.slugs)
          },
        )
        return pageAnswer(updated)
      },
    }),
    endpoint({
      id: 'legacyPublishPage',
      method: 'post',
      path: '/v1/pages/publish',
      tag,
      summary: 'Publish a page',
      body: {
        schema: requestBody(PageRef, { id: 'LegacyPageRef', either: ['pageId', 'page_id'] }),
        required: true,
      },
      answers: [json(200, 'The page is live.', PublishedPage), json(202, CONTINUES, PendingPage)],
      errors: ['not_found', 'project_scope_violation', 'conflict', 'missing_required_field'],
      current: pageNamedByBody,
      continued: pending,
      async run({ caller, body, match }, { publishing }) {
        const published = await publishing.publish(caller, readPageRef(caller, body), (stored) => {
          match(stored)
          return DEFAULT_OPTIONS
        })
        return { body: enveloped(presentPublished(published)), version: published.page.version }
      },
    }),
    endpoint({
      id: 'legacyUnpublishPage',
      method: 'post',
      path: '/v1/pages/unpublish',
      tag,
      summary: 'Unpublish a page',
      body: {
        schema: requestBody(PageRef, { id: 'LegacyPageRef', either: ['pageId', 'page_id'] }),
        required: true,
      },
      answers: [json(200, 'The page is a draft again.', UnpublishedPage), json(202, CONTINUES, PendingPage)],
      errors: ['not_found', 'project_scope_violation', 'not_published', 'missing_required_field'],
      current: pageNamedByBody,
      continued: pending,
      async run({ caller, body, match }, { publishing }) {
        const { page } = await publishing.unpublish(caller, readPageRef(caller, body), match)
        return { body: enveloped(presentUnpublished(page)), version: page.version }
      },
    }),
    endpoint({
      id: 'legacyGetSettings',
      method: 'get',
      path: '/v1/projects/{id}/settings',
      tag,
      summary: 'Get the settings of a project',
      params: project,
      answers: [json(200, 'The settings.', Settings)],
      async run({ caller, param }, { projects }) {
        const found = await projects.get(caller, param('id'))
        return { body: enveloped(presentSettings(found)), version: found.settings.version }
      },
    }),
    endpoint({
      id: 'legacyUpdateSettings',
      method: 'put',
      path: '/v1/projects/{id}/settings',
      tag,
      summary: 'Change the settings of a project',
      description:
        '`docs_nav` is replaced, objects are merged with the stored ones, and null removes a key. `PUT /projects/{id}/settings` sets all of these fields too, and replaces objects as a whole.',
      params: project,
      body: {
        schema: requestBody(settingsSchema(themes), { id: 'LegacyUpdateSettings' }),
        required: true,
        example: { branding: { primary_color: '#0b6e4f' }, site_routes: { docs: '/help' } },
      },
      answers: [json(200, 'The changed fields.', UpdatedSettings)],
      async current({ caller, param }, { projects }) {
        const found = await projects.get({ ...caller, permissions: ['read'] }, param('id'))
        return { version: found.settings.version, body: enveloped(presentSettings(found)) }
      },
      async run({ caller, body, param, match }, { projects }) {
        const updated = await projects.updateSettings(caller, param('id'), (stored) => {
          match(stored.settings)
          return settingsReader.read(body, stored.settings.settings, stored.project.hosting.slugs)
        })
        const whole = presentSettings(updated)
        const supplied = Object.fromEntries(settingsReader.supplied(body).map((key) => [key, whole[key]]))
        return { body: enveloped(supplied), version: updated.settings.version }
      },
    }),
    endpoint({
      id: 'legacyGetDataMode',
      method: 'get',
      path: '/v1/projects/{id}/data-mode',
      tag,
      summary: 'Get the state of Data Mode',
      params: project,
      answers: [json(200, 'The state, without the key.', DataModeStatus)],
      async run({ caller, param }, { dataMode }) {
        const { enabled, enabledAt } = await dataMode.status(caller, param('id'))
        return { body: enveloped({ enabled, enabled_at: enabledAt }) }
      },
    }),
    endpoint({
      id: 'legacyChangeDataMode',
      method: 'post',
      path: '/v1/projects/{id}/data-mode',
      tag,
      summary: 'Change Data Mode',
      description: 'A new key is shown in this answer only.',
      params: project,
      body: {
        schema: requestBody(ChangeDataMode, { id: 'LegacyChangeDataMode' }),
        required: true,
        example: { action: 'enable' },
      },
      answers: [json(200, 'Data Mode was changed.', ChangedDataMode)],
      errors: ['already_enabled', 'not_enabled', 'conflict'],
      async run({ caller, body, param }, { dataMode }) {
        const changed = await dataMode.change(caller, param('id'), () => readDataModeAction(body))
        return { body: enveloped(presentDataModeAction(changed)), secret: changed.contentKey !== null }
      },
    }),
    endpoint({
      id: 'legacyGetMe',
      method: 'get',
      path: '/v1/users/me',
      tag,
      summary: 'Get the caller',
      answers: [json(200, 'The caller.', User)],
      async run({ caller }) {
        const { userId, email, projectScope } = caller
        const data = { id: userId, email, api_key_id: keyOf(caller), project_scope: projectScope }
        return { body: enveloped(data) }
      },
    }),
    ...assetOperations(LEGACY_ASSET_FORM),
  ]
}

/** Reads a project as its GET answers it, for any caller who may change it. */
async function currentProject(
  { caller, param }: ApiRequest,
  { projects }: LegacyOperationPorts,
): Promise<Representation> {
  const { project } = await projects.get({ ...caller, permissions: ['read'] }, param('id'))
  return { version: project.version, body: enveloped(presentProject(project)) }
}

function projectAnswer({ project }: { readonly project: ProjectRecord }): ApiAnswer {
  return { body: enveloped(presentProject(project)), version: project.version }
}

function pageAnswer({ page }: { readonly page: PageRecord }): ApiAnswer {
  return { body: enveloped(presentPage(page)), version: page.version }
}
