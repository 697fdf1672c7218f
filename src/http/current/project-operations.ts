import { idParam } from '../answer-fields.ts'
import {
  CreateProject,
  GetProject,
  ListProjects,
  projectSchema,
  READ_ONLY,
  SETTINGS_READ_ONLY,
  settingsSchema,
} from '../bodies/project-schemas.ts'
import { EmptyBody } from '../bodies/publish-schemas.ts'
import { ChangeDataMode } from '../legacy-bodies.ts'
import { requestBody } from '../openapi/body.ts'
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
  Usage,
  User,
} from './project-answers.ts'

const params = idParam('proj')

/**
 * Descriptions of the operations on projects, settings, Data Mode and the caller.
 *
 * @param themes names of the installed themes.
 */
export function projectOperations(themes: readonly string[]): readonly Operation[] {
  return [
    {
      id: 'listProjects',
      method: 'get',
      path: '/projects',
      tag: 'Projects',
      summary: 'List projects',
      description: 'A key that is restricted to one project lists only that project.',
      query: ListProjects,
      answers: [json(200, 'The projects.', ProjectList)],
    },
    {
      id: 'createProject',
      method: 'post',
      path: '/projects',
      tag: 'Projects',
      summary: 'Create a project',
      description:
        'Requires a user who may create projects, and a key that is not restricted to one project.',
      body: {
        schema: requestBody(CreateProject, { id: 'CreateProject', ignored: READ_ONLY }),
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
        'Fields that the body leaves out stay unchanged, also inside `settings` and `hosting`. An archived project accepts only a change of its status.',
      params,
      body: {
        schema: requestBody(projectSchema(themes), { id: 'UpdateProject', ignored: READ_ONLY }),
        required: true,
        example: { name: 'Our site', domain: 'www.example.com' },
      },
      answers: [json(200, 'The updated project.', Project)],
      errors: ['conflict'],
      guarded: true,
    },
    {
      id: 'verifyDomain',
      method: 'post',
      path: '/projects/{id}/domain/verify',
      tag: 'Projects',
      summary: 'Check the domain of a project again',
      description: [
        'The check runs within seconds; read the project (`Location`) to see its result in `hosting.domain_status` and `domain_challenge`.',
        'A failed domain is pending again. A domain is also checked when it is set, every few minutes while it is pending, and weekly.',
      ].join(' '),
      params,
      body: { schema: EmptyBody, required: false },
      answers: [json(202, 'The project, whose check is scheduled.', Project)],
      errors: ['conflict'],
    },
    {
      id: 'deleteProject',
      method: 'delete',
      path: '/projects/{id}',
      tag: 'Projects',
      summary: 'Delete an archived project',
      description: 'Deletes the project with its pages and all published objects.',
      params,
      answers: [json(200, 'The record was deleted.', DeletedProject)],
      errors: ['conflict'],
      guarded: true,
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
        schema: requestBody(settingsSchema(themes), { id: 'UpdateSettings', ignored: SETTINGS_READ_ONLY }),
        required: true,
        example: { footer_text: 'Made with care', nav_links: [{ label: 'Docs', href: '/docs' }] },
      },
      answers: [json(200, 'The changed fields.', UpdatedSettings)],
      guarded: true,
    },
    {
      id: 'enableDataMode',
      method: 'post',
      path: '/projects/{id}/data-mode/enable',
      tag: 'Data Mode',
      summary: 'Enable Data Mode',
      description: 'Each publish from now on encrypts its page. The key is shown in this answer only.',
      params,
      body: { schema: EmptyBody, required: false },
      answers: [json(200, 'Data Mode is on.', EnabledDataMode)],
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
      body: { schema: EmptyBody, required: false },
      answers: [json(200, 'Data Mode is off.', DisabledDataMode)],
      errors: ['not_enabled'],
    },
    {
      id: 'regenerateDataModeKey',
      method: 'post',
      path: '/projects/{id}/data-mode/regenerate-key',
      tag: 'Data Mode',
      summary: 'Replace the content key',
      description:
        'Re-encrypts all live pages; the previous key no longer decrypts any of them. It is refused while a file that a sealed page shows is lost, and the answer names the file and its pages.',
      params,
      body: { schema: EmptyBody, required: false },
      answers: [json(200, 'All live pages are encrypted with the new key.', EnabledDataMode)],
      errors: ['not_enabled', 'conflict'],
    },
    {
      id: 'getDataMode',
      method: 'get',
      path: '/projects/{id}/data-mode',
      tag: 'Data Mode',
      summary: 'Get the state of Data Mode',
      params,
      answers: [json(200, 'The state, without the key.', DataModeStatus)],
    },
    {
      id: 'changeDataMode',
      method: 'post',
      path: '/projects/{id}/data-mode',
      tag: 'Data Mode',
      summary: 'Change Data Mode by an action',
      description: 'Like the operations above, for clients of `/v1` that drop only the prefix.',
      params,
      body: {
        schema: requestBody(ChangeDataMode, { id: 'ChangeDataMode' }),
        required: true,
        example: { action: 'enable' },
      },
      answers: [json(200, 'Data Mode was changed.', ChangedDataMode)],
      errors: ['already_enabled', 'not_enabled', 'conflict'],
    },
    {
      id: 'getMe',
      method: 'get',
      path: '/users/me',
      tag: 'Account',
      summary: 'Get the caller',
      description: 'The user and the key of the request.',
      answers: [json(200, 'The caller.', User)],
    },
    {
      id: 'getUsage',
      method: 'get',
      path: '/users/me/usage',
      tag: 'Account',
      summary: 'Get usage and limits',
      description: [
        'Each limit and the amount used: requests of this key, and content that the account stores.',
        'A request that would exceed a limit of the account is refused with `forbidden`, which names the limit and its number.',
      ].join(' '),
      answers: [json(200, 'The usage.', Usage)],
    },
  ]
}
