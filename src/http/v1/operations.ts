import { idParam } from '../answer-fields.ts'
import { ChangeDataMode, PageRef } from '../legacy-bodies.ts'
import { asSent } from '../openapi/body.ts'
import { json, type Operation } from '../openapi/operation.ts'
import {
  ChangedDataMode,
  CreatedProject,
  DataModeStatus,
  Page,
  PageList,
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
 * The legacy surface, as its table lists it.
 *
 * @param themes the installed ones: settings may name no other.
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
      answers: [json(200, 'The projects asked for.', ProjectList)],
    },
    {
      id: 'legacyCreateProject',
      method: 'post',
      path: '/v1/projects',
      tag,
      summary: 'Create a project',
      description: 'For users who may create projects, with a key that is not restricted to one.',
      body: {
        schema: asSent(CreateProject, { id: 'LegacyCreateProject' }),
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
      description: 'What is left out stays; keys of `settings` are merged with what is stored.',
      params: project,
      body: {
        schema: asSent(UpdateProject, { id: 'LegacyUpdateProject' }),
        required: true,
        example: { context: 'A bakery in Bruges.', settings: { custom_domain: 'www.example.com' } },
      },
      answers: [json(200, 'The project as it is now.', Project)],
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
      answers: [json(200, 'The pages asked for.', PageList)],
    },
    {
      id: 'legacyCreatePage',
      method: 'post',
      path: '/v1/pages',
      tag,
      summary: 'Create a page',
      body: {
        schema: asSent(CreatePage, { id: 'LegacyCreatePage', either: ['page_name', 'title'] }),
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
      description: 'What is left out stays. What is live stays as it is until the page is published again.',
      params: page,
      body: {
        schema: asSent(UpdatePage, { id: 'LegacyUpdatePage', either: ['page_name', 'title'] }),
        required: true,
        example: { markdown_content: 'Closed on **Sundays**.' },
      },
      answers: [json(200, 'The page as it is now.', Page)],
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
        schema: asSent(PageRef, { id: 'LegacyPageRef', either: ['pageId', 'page_id'] }),
        required: true,
      },
      answers: [json(200, 'It is live.', PublishedPage)],
      errors: ['not_found', 'project_scope_violation', 'conflict', 'missing_required_field'],
    },
    {
      id: 'legacyUnpublishPage',
      method: 'post',
      path: '/v1/pages/unpublish',
      tag,
      summary: 'Unpublish a page',
      body: {
        schema: asSent(PageRef, { id: 'LegacyPageRef', either: ['pageId', 'page_id'] }),
        required: true,
      },
      answers: [json(200, 'It is a draft again.', UnpublishedPage)],
      errors: ['not_found', 'project_scope_violation', 'not_published', 'missing_required_field'],
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
      description: '`docs_nav` is replaced, objects are merged with what is stored; null takes a key back.',
      params: project,
      body: {
        schema: asSent(settingsSchema(themes), { id: 'LegacyUpdateSettings' }),
        required: true,
        example: { branding: { primary_color: '#0b6e4f' }, site_routes: { docs: '/help' } },
      },
      answers: [json(200, 'What was changed.', UpdatedSettings)],
      guarded: true,
    },
    {
      id: 'legacyGetDataMode',
      method: 'get',
      path: '/v1/projects/{id}/data-mode',
      tag,
      summary: 'Get the state of Data Mode',
      params: project,
      answers: [json(200, 'Whether it is on; never the key.', DataModeStatus)],
    },
    {
      id: 'legacyChangeDataMode',
      method: 'post',
      path: '/v1/projects/{id}/data-mode',
      tag,
      summary: 'Change Data Mode',
      description: 'A key is shown in this answer only.',
      params: project,
      body: {
        schema: asSent(ChangeDataMode, { id: 'LegacyChangeDataMode' }),
        required: true,
        example: { action: 'enable' },
      },
      answers: [json(200, 'It is done.', ChangedDataMode)],
      errors: ['already_enabled', 'not_enabled'],
    },
    {
      id: 'legacyGetMe',
      method: 'get',
      path: '/v1/users/me',
      tag,
      summary: 'Get the caller',
      answers: [json(200, 'You.', User)],
    },
  ]
}
