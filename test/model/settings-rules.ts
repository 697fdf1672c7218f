import { enveloped } from './envelopes.ts'
import { counts, type Fault } from './page-rules.ts'
import { answerOf, legacySettings, resource, type Shape, settingsChanges } from './settings-shapes.ts'
import {
  type KeyName,
  laterThan,
  type Match,
  matchFault,
  projectFault,
  projectRef,
  refused,
  type Step,
  stateFault,
  type Tagged,
} from './step.ts'
import { type Json, projectAt, type World, withProject } from './world.ts'

export interface SettingsRequest {
  readonly key: KeyName
  readonly project: number
  readonly isPrefixed: boolean
  readonly shape: Exclude<Shape, 'embedded'>
}

export function getSettings(world: World, { key, shape, project, isPrefixed }: SettingsRequest): Step {
  return {
    method: 'GET',
    path: `${shape === 'resource' ? '' : '/v1'}/projects/${projectRef(world, project, isPrefixed)}/settings`,
    key,
    outcome: projectFault(world, key, project, ['read']) ?? {
      status: 200,
      next: () => world,
      body: () =>
        shape === 'resource'
          ? { data: resource(world, project) }
          : enveloped(legacySettings(projectAt(world, project))),
      tagged: () => settingsTag(world, project),
    },
  }
}

export interface UpdateSettings extends SettingsRequest {
  readonly body: Json
  readonly fault: Fault | null
  readonly match: Match
}

export function updateSettings(world: World, asked: UpdateSettings): Step {
  const { key, shape, project: index, isPrefixed, body, fault, match } = asked
  const denied = projectFault(world, key, index, ['settings'])
  const step = {
    method: 'PUT',
    path: `${shape === 'resource' ? '' : '/v1'}/projects/${projectRef(world, index, isPrefixed)}/settings`,
    key,
    body: { ...body, ...fault?.body },
  } as const
  if (denied !== null) return { ...step, outcome: denied }
  const project = projectAt(world, index)
  return {
    ...step,
    match: { ...settingsTag(world, index), which: match },
    outcome: stateFault(project) ??
      matchFault(match) ??
      (counts(fault, shape === 'resource' ? 'current' : 'legacy') ? refused('validation_error') : null) ?? {
        status: 200,
        next: ({ updated_at }) => {
          const changes = settingsChanges(project, shape, body)
          // The legacy answer does not tell when.
          const told =
            shape === 'resource'
              ? laterThan(project.settingsUpdatedAt, updated_at)
              : project.settingsUpdatedAt
          return withProject(world, index, { ...changes, settingsUpdatedAt: told })
        },
        body: (after) => answerOf(after, index, shape, body),
        tagged: (after) => settingsTag(after, index),
      },
  }
}

function settingsTag(world: World, index: number): Tagged {
  return { record: `settings ${index}`, version: projectAt(world, index).settingsVersion }
}
