import { prefixed } from '../../domain/ids.ts'
import type { Project } from '../../domain/project.ts'
import type { Standing } from '../../services/projects/projects.ts'
import { may, type Place, type View } from '../frame/frame.ts'
import type { Words } from '../words/en.ts'

export type ProjectTab = 'overview' | 'pages' | 'media' | 'visits' | 'settings'

/** The path of a project's view. */
export function projectPath({ id }: Pick<Project, 'id'>, rest = ''): string {
  return `/dashboard/projects/${prefixed('proj', id)}${rest}`
}

export function projectCrumbs(
  project: Pick<Project, 'id' | 'name'>,
  words: Words,
  ...more: readonly Crumb[]
) {
  return [
    { href: '/dashboard/projects', name: words.projects.title },
    { href: projectPath(project), name: project.name },
    ...more,
  ]
}

type Crumb = Pick<Place, 'href' | 'name'>

/** The frame of every view of a project. */
export function projectFrame(
  project: Pick<Project, 'id' | 'name'>,
  current: ProjectTab,
  words: Words,
): Required<Pick<View, 'crumbs' | 'tabs'>> {
  const tab = (name: ProjectTab, label: string, rest: string): Place => ({
    href: projectPath(project, rest),
    name: label,
    isCurrent: name === current,
  })
  const crumbs = projectCrumbs(project, words)
  return {
    crumbs: current === 'overview' ? crumbs.slice(0, 1) : crumbs,
    tabs: [
      tab('overview', words.overview.title, ''),
      tab('pages', words.pages.title, '/pages'),
      tab('media', words.media.title, '/media'),
      tab('visits', words.visits.title, '/visits'),
      tab('settings', words.settings.title, '/settings'),
    ],
  }
}

export type SettingsArea =
  | 'general'
  | 'theme'
  | 'navigation'
  | 'languages'
  | 'address'
  | 'redirects'
  | 'members'
  | 'webhooks'
  | 'dataMode'
  | 'audit'

const AREAS = [
  ['general', '/settings', 'read'],
  ['theme', '/theme', 'read'],
  ['navigation', '/navigation', 'read'],
  ['languages', '/languages', 'read'],
  ['address', '/address', 'read'],
  ['redirects', '/redirects', 'read'],
  ['members', '/members', 'read'],
  ['webhooks', '/webhooks', 'webhooks'],
  ['dataMode', '/data-mode', 'read'],
  ['audit', '/audit', 'audit'],
] as const

/** The frame for a part of the settings. Parts that the caller may not see are left out. */
export function settingsFrame(
  project: Pick<Project, 'id' | 'name'>,
  current: SettingsArea,
  words: Words,
  standing: Standing | null,
): Required<Pick<View, 'crumbs' | 'tabs' | 'areas'>> {
  const areas = AREAS.filter(([, , right]) => may(standing, right)).map(
    ([name, rest]): Place => ({
      href: projectPath(project, rest),
      name: words.areas[name],
      isCurrent: name === current,
    }),
  )
  return { ...projectFrame(project, 'settings', words), areas }
}
