import type fc from 'fast-check'
import * as lists from './list-rules.ts'
import * as pages from './page-rules.ts'
import * as projects from './project-rules.ts'
import * as publishing from './publishing-rules.ts'
import * as requests from './requests.ts'
import { type Real, runStep } from './run-step.ts'
import * as settings from './settings-rules.ts'
import type { Step } from './step.ts'
import { type Page, type Project, projectAt, type World, withProject } from './world.ts'

/** Holds the world as it is now: commands replace it. */
export interface Model {
  world: World
}

type Command = fc.AsyncCommand<Model, Real>

/** Every kind of request, each as often as others need it. */
export function allCommands(): fc.Arbitrary<Command>[] {
  const weighted: readonly [weight: number, command: fc.Arbitrary<Command>][] = [
    [9, command('create page', requests.createPage, pages.createPage)],
    [9, command('update page', requests.updatePage, pages.updatePage)],
    [7, command('publish', requests.move, publishing.publish)],
    [3, command('unpublish', requests.move, publishing.unpublish)],
    [3, command('get page', requests.getPage, pages.getPage)],
    [2, command('delete page', requests.ofPage, publishing.deletePage)],
    [3, command('list pages', requests.listPages, lists.listPages)],
    [1, command('list projects', requests.listProjects, lists.listProjects)],
    [1, command('create project', requests.createProject, projects.createProject)],
    [1, command('get project', requests.ofProject, projects.getProject)],
    [2, command('update project', requests.updateProject, projects.updateProject)],
    [1, command('change status', requests.changeStatus, projects.updateProject)],
    [1, command('delete project', requests.ofProject, projects.deleteProject)],
    [1, command('get settings', requests.ofSettings, settings.getSettings)],
    [3, command('update settings', requests.updateSettings, settings.updateSettings)],
    [1, requests.operate.map(operatorCommand)],
  ]
  return weighted.flatMap(([weight, arbitrary]) => Array.from({ length: weight }, () => arbitrary))
}

/** @param rule is given the request with its numbers as places in the world. */
function command<Request extends object>(
  name: string,
  arbitrary: fc.Arbitrary<Request>,
  rule: (world: World, request: Request) => Step,
): fc.Arbitrary<Command> {
  return arbitrary.map((request) => ({
    check: () => true,
    run: async (model, real) => {
      model.world = await runStep(model.world, rule(model.world, placed(request, model.world)), real)
    },
    toString: () => `${name} ${JSON.stringify(request)}`,
  }))
}

/** Commands of an operator, independent of the project's status. */
function operatorCommand({ project, status }: { project: number; status: Project['status'] }): Command {
  const isThere = ({ projects: all }: World) =>
    project !== requests.NOBODY && all[place(project, all)]?.status !== 'deleted'
  return {
    check: ({ world }) => isThere(world),
    run: async (model, { service }) => {
      const index = place(project, model.world.projects)
      const { id, version } = projectAt(model.world, index)
      const told = await service.server.service.projects.setStatus(id as never, status as never)
      const { updatedAt } = told.project
      model.world = withProject(model.world, index, { status, version: version + 1, updatedAt })
    },
    toString: () => `operator ${JSON.stringify({ project, status })}`,
  }
}

/** Small numbers select existing things, larger ones also deleted things, the largest one that never existed. */
function place(number: number, all: readonly (Page | Project)[]): number {
  if (number === requests.NOBODY || all.length === 0) return all.length
  const there = all.flatMap((record, index) => (isGone(record) ? [] : [index]))
  const known = number < requests.EVER && there.length > 0 ? there : [...all.keys()]
  return known[number % known.length] ?? all.length
}

function isGone(record: Page | Project): boolean {
  return 'isDeleted' in record ? record.isDeleted : record.status === 'deleted'
}

/** The request with numbers of projects and pages as the world has them, and addresses of its own. */
function placed<Request extends object>(request: Request, world: World): Request {
  return JSON.parse(JSON.stringify(request), (name, value: unknown) => {
    if (name === 'project') return place(Number(value), world.projects)
    if (name === 'page') return place(Number(value), world.pages)
    if (value === null) return value
    if (name === 'parent' || name === 'createdAfter') return place(Number(value), world.pages)
    if (name === 'domain' || name === 'custom_domain') return `${value}.s${world.sequence}.example.com`
    return name === 'subdomain' ? `${value}-${world.sequence}` : value
  })
}
