import { idParam } from '../answer-fields.ts'
import { ChangeDataMode } from '../legacy-bodies.ts'
import { asSent } from '../openapi/body.ts'
import { json, type Operation } from '../openapi/operation.ts'
import {
  ChangedDataMode,
  DataModeStatus,
  DeletedProject,
  DisabledDataMode,
  EnabledDataMode,
  Project,
  ProjectList,
  ProjectWithContents,
  Settings,
  UpdatedSettings,
  User,
} from './project-answers.ts'
import {
  CreateProject,
  GetProject,
  ListProjects,
  projectSchema,
  READ_ONLY,
  SETTINGS_READ_ONLY,
  settingsSchema,
} from './project-schemas.ts'
import { Nothing } from './publish-schemas.ts'

const params = idParam('proj')

/**
 * The operations on projects and their settings, and on the caller.
 *
 * @param themes the installed ones: settings may name no other.
 */
export function projectOperations(themes: readonly string[]): readonly Operation[] {
  return [
    {
      id: 'listProjects',
      method: 'get',
      path: '/projects',
      tag: 'Projects',
      summary: 'List projects',
      description: 'A key that is restricted to one project lists that one.',
      query: ListProjects,
      answers: [json(200, 'The projects asked for.', ProjectList)],
    },
    {
      id: 'createProject',
      method: 'post',
      path: '/projects',
      tag: 'Projects',
      summary: 'Create a project',
      description: 'For users who may create projects, with a key that is not restricted to one.',
      body: {
        schema: asSent(CreateProject, { id: 'CreateProject', ignored: READ_ONLY }),
        required: true,
        example: { name: 'My site' },
      },
      answers: [json(201, 'The new project.', Project)],
    },
    {
      id: 'getProject',
      method: 'get',
      path: '/projects/{id}',
      tag: 'Projects',
      summary: 'Get a project',
      params,
      query: GetProject,
      answers: [json(200, 'The project.', ProjectWithContents)],
    },
    {
      id: 'updateProject',
      method: 'put',
      path: '/projects/{id}',
      tag: 'Projects',
      summary: 'Change a project',
      description:
        'What is left out stays, inside `settings` and `hosting` too. An archived project takes no change but that of its status.',
      params,
      body: {
        schema: asSent(projectSchema(themes), { id: 'UpdateProject', ignored: READ_ONLY }),
        required: true,
        example: { name: 'Our site', domain: 'www.example.com' },
      },
      answers: [json(200, 'The project as it is now.', Project)],
      errors: ['conflict'],
      guarded: true,
    },
    {
      id: 'deleteProject',
      method: 'delete',
      path: '/projects/{id}',
      tag: 'Projects',
      summary: 'Delete an archived project',
      description: 'With all its pages, and with what is live of it.',
      params,
      answers: [json(200, 'It is gone.', DeletedProject)],
      errors: ['conflict'],
    },
    {
      id: 'getSettings',
      method: 'get',
      path: '/projects/{id}/settings',
      tag: 'Settings',
      summary: 'Get the settings of a project',
      params,
      answers: [json(200, 'The settings.', Settings)],
    },
    {
      id: 'updateSettings',
      method: 'put',
      path: '/projects/{id}/settings',
      tag: 'Settings',
      summary: 'Change the settings of a project',
      description:
        'Fields that the body leaves out stay unchanged; lists and objects are replaced as a whole. A page shows new settings once it is published again.',
      params,
      body: {
        schema: asSent(settingsSchema(themes), { id: 'UpdateSettings', ignored: SETTINGS_READ_ONLY }),
        required: true,
        example: { footer_text: 'Made with care', nav_links: [{ label: 'Docs', href: '/docs' }] },
      },
      answers: [json(200, 'What was changed.', UpdatedSettings)],
      guarded: true,
    },
    {
      id: 'enableDataMode',
      method: 'post',
      path: '/projects/{id}/data-mode/enable',
      tag: 'Data Mode',
      summary: 'Enable Data Mode',
      description: 'From now on each publish encrypts its page. The key is shown in this answer only.',
      params,
      body: { schema: Nothing, required: false },
      answers: [json(200, 'It is on.', EnabledDataMode)],
      errors: ['already_enabled'],
    },
    {
      id: 'disableDataMode',
      method: 'post',
      path: '/projects/{id}/data-mode/disable',
      tag: 'Data Mode',
      summary: 'Disable Data Mode',
      description: 'Encrypted files stay, for readers with the key, until their pages are published again.',
      params,
      body: { schema: Nothing, required: false },
      answers: [json(200, 'It is off.', DisabledDataMode)],
      errors: ['not_enabled'],
    },
    {
      id: 'regenerateDataModeKey',
      method: 'post',
      path: '/projects/{id}/data-mode/regenerate-key',
      tag: 'Data Mode',
      summary: 'Replace the content key',
      description: 'Everything that is live is encrypted anew; the former key opens nothing any more.',
      params,
      body: { schema: Nothing, required: false },
      answers: [json(200, 'Everything is under the new key.', EnabledDataMode)],
      errors: ['not_enabled'],
    },
    {
      id: 'getDataMode',
      method: 'get',
      path: '/projects/{id}/data-mode',
      tag: 'Data Mode',
      summary: 'Get the state of Data Mode',
      params,
      answers: [json(200, 'Whether it is on; never the key.', DataModeStatus)],
    },
    {
      id: 'changeDataMode',
      method: 'post',
      path: '/projects/{id}/data-mode',
      tag: 'Data Mode',
      summary: 'Change Data Mode by an action',
      description: 'Like the operations above, for clients of `/v1` that only drop the prefix.',
      params,
      body: {
        schema: asSent(ChangeDataMode, { id: 'ChangeDataMode' }),
        required: true,
        example: { action: 'enable' },
      },
      answers: [json(200, 'It is done.', ChangedDataMode)],
      errors: ['already_enabled', 'not_enabled'],
    },
    {
      id: 'getMe',
      method: 'get',
      path: '/users/me',
      tag: 'Account',
      summary: 'Get the caller',
      description: 'The user and the key behind the request.',
      answers: [json(200, 'You.', User)],
    },
  ]
}
