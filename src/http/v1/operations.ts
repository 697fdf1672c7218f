import { idParam } from '../answer-fields.ts'
import { assetOperations } from '../asset-operations.ts'
import { UpdateAsset } from '../asset-schemas.ts'
import { CONTINUES } from '../continued-release.ts'
import { ChangeDataMode, PageRef } from '../legacy-bodies.ts'
import { requestBody } from '../openapi/body.ts'
import { json, type Operation } from '../openapi/operation.ts'
import {
  ChangedDataMode,
  CreatedProject,
  DataModeStatus,
  LEGACY_ASSET_ANSWERS,
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
import { CreatePage, ListPages, UpdatePage } from './page-schemas.ts'
import { CreateProject, ListProjects, UpdateProject } from './project-schemas.ts'
import { settingsSchema } from './settings-schemas.ts'

const project = idParam('proj')
const page = idParam('page')
const tag = 'Legacy'

/**
 * Descriptions of the operations of the legacy surface.
 *
 * @param themes names of the installed themes.
 */
export function legacyOperations(themes: readonly string[]): readonly Operation[] {
  return [
    {
      id: 'legacyListProjects',
      method: 'get',
      path: '/v1/projects',
      tag,
      summary: 'List projects',
      description: 'Newest first.',
      query: ListProjects,
      answers: [json(200, 'The projects.', ProjectList)],
    },
    {
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
    },
    {
      id: 'legacyGetProject',
      method: 'get',
      path: '/v1/projects/{id}',
      tag,
      summary: 'Get a project',
      params: project,
      answers: [json(200, 'The project.', Project)],
    },
    {
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
      guarded: true,
    },
    {
      id: 'legacyListPages',
      method: 'get',
      path: '/v1/pages',
      tag,
      summary: 'List the pages of a project',
      description: 'Newest first.',
      query: ListPages,
      answers: [json(200, 'The pages.', PageList)],
    },
    {
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
    },
    {
      id: 'legacyGetPage',
      method: 'get',
      path: '/v1/pages/{id}',
      tag,
      summary: 'Get a page',
      params: page,
      answers: [json(200, 'The page.', Page)],
    },
    {
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
      guarded: true,
    },
    {
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
      guarded: true,
    },
    {
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
      guarded: true,
    },
    {
      id: 'legacyGetSettings',
      method: 'get',
      path: '/v1/projects/{id}/settings',
      tag,
      summary: 'Get the settings of a project',
      params: project,
      answers: [json(200, 'The settings.', Settings)],
    },
    {
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
      guarded: true,
    },
    {
      id: 'legacyGetDataMode',
      method: 'get',
      path: '/v1/projects/{id}/data-mode',
      tag,
      summary: 'Get the state of Data Mode',
      params: project,
      answers: [json(200, 'The state, without the key.', DataModeStatus)],
    },
    {
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
    },
    {
      id: 'legacyGetMe',
      method: 'get',
      path: '/v1/users/me',
      tag,
      summary: 'Get the caller',
      answers: [json(200, 'The caller.', User)],
    },
    ...assetOperations(LEGACY_ASSET_ANSWERS, {
      prefix: '/v1',
      id: (id) => `legacy${id.charAt(0).toUpperCase()}${id.slice(1)}`,
      schema: 'Legacy',
      tag,
      update: UpdateAsset,
    }),
  ]
}
