import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLedger } from '../../src/db/ledger.ts'
import { systemTime } from '../../src/platform/clock.ts'
import { randomId } from '../../src/services/new-id.ts'
import { createRandom, type Random } from '../support/random.ts'
import { openServiceDatabase } from '../support/test-database.ts'
import { isOfArticles, isOfFirstPublish, type KillPoint } from './kill-points.ts'
import { callApi, createSiteClient, type SiteClient, type TrackedPage } from './site-client.ts'
import { storeDifferences } from './store-differences.ts'
import { startVictim } from './victim.ts'

/** The result of one kill. An empty `wrong` means that every promise held. */
export interface Death {
  readonly name: string
  readonly wrong: readonly string[]
  /** Time from the service's first answer to its next acknowledged publish. */
  readonly recoveryMs: number
}

/** Kills service after service on one data folder. */
export interface Graveyard {
  /** Kills the service at a point of the scenario. @param isFirst whether the page was not live before. */
  dieAt(point: KillPoint, isFirst: boolean): Promise<Death>
  /** Kills the service at a random moment of work on several pages. */
  dieUnderLoad(seed: number): Promise<Death>
  close(): Promise<void>
}

const PAGES_UNDER_LOAD = 5
const LOAD_MS = 700
const RECOVERY_PATIENCE_MS = 5 * 60_000

export async function openGraveyard(data: string, how: 'lean' | 'whole'): Promise<Graveyard> {
  let victim = await startVictim(data, how)
  const connections = await openServiceDatabase(data)
  const ledger = createLedger(connections, { now: systemTime, newId: randomId })
  let sites = 0

  return {
    async dieAt(killPoint, isFirst) {
      const { scenario, point, then } = killPoint
      const site = await newSite()
      const { client } = site
      const type = isOfArticles(killPoint) ? 'article' : 'docs'
      const target = await client.create('target', type)
      const neighbour = await client.create('neighbour', type)
      if (!isFirst || !isOfFirstPublish(killPoint)) {
        await expectDone(client, target, 'publish')
        await expectDone(client, neighbour, 'publish')
        await expectDone(client, target, 'edit')
      }
      if (scenario !== 'take off') await changeTheme(client)
      await victim.arm({
        point,
        project: client.project,
        failPut: scenario === 'put back' ? 'manifest' : null,
      })

      const before = target.possible
      const operation = scenario !== 'take off' ? 'publish' : isFirst ? 'delete' : 'unpublish'
      const status = await client.perform(target, operation)
      const died = await Promise.race([victim.ended.then(() => true), sleep(5_000, false)])
      const wrong = died ? [] : [`The point was never reached; the answer was ${status}.`]
      if (then === 'before') target.possible = before
      else target.possible = target.possible.filter((state) => !before.includes(state))
      const recovery = await riseAndCheck(site, [target, neighbour])
      return { name: `${scenario}: ${point}`, ...recovery, wrong: [...wrong, ...recovery.wrong] }
    },

    async dieUnderLoad(seed) {
      const random = createRandom(seed)
      const site = await newSite()
      const pages: TrackedPage[] = []
      for (let n = 0; n < PAGES_UNDER_LOAD; n++) {
        pages.push(await site.client.create(`page-${n}`, n % 2 === 0 ? 'docs' : 'article'))
      }
      await victim.arm({ point: null, project: site.client.project, failPut: null })
      const work = pages.map((page) => workUntilDeath(site.client, page, random))
      await sleep(random.below(LOAD_MS))
      victim.kill()
      await Promise.all(work)
      return { name: `any moment, seed ${seed}`, ...(await riseAndCheck(site, pages)) }
    },

    async close() {
      victim.kill()
      await victim.ended
      await connections.close()
    },
  }

  interface Site {
    readonly client: SiteClient
  }

  async function newSite(): Promise<Site> {
    const { body } = await callApi(victim, 'POST', '/projects', { name: `Site ${++sites}` })
    return { client: createSiteClient(data, body.data.id, () => victim) }
  }

  async function changeTheme({ project }: SiteClient): Promise<void> {
    const { status } = await callApi(victim, 'PUT', `/projects/${project}/settings`, { theme: 'dark' })
    if (status !== 200) throw new Error(`The theme could not be changed: ${status}.`)
  }

  /** Starts a new service on the same folder. The next publish proves that it has the project's lease. */
  async function riseAndCheck({ client }: Site, pages: readonly TrackedPage[]): Promise<Omit<Death, 'name'>> {
    victim.kill()
    await victim.ended
    victim = await startVictim(data, how)
    const risen = performance.now()
    while ((await ledger.releaseQueue.unfinishedProjects()).length > 0) {
      if (performance.now() - risen > RECOVERY_PATIENCE_MS) throw new Error('The service does not recover.')
      await sleep(50)
    }
    const wrong = [...(await client.disagreements(pages)), ...(await storeDifferences(data, client.project))]

    const survivor = pages.find(({ possible }) => possible.some(({ draft }) => draft !== null))
    if (survivor !== undefined) {
      // The observed state is the expected one from here on.
      survivor.possible = [await client.look(survivor)]
      const status = await client.perform(survivor, 'publish')
      if (survivor.possible[0]?.draft !== null && status !== 200)
        wrong.push(`The next publish was answered ${status}.`)
    }
    const recoveryMs = performance.now() - risen
    wrong.push(...(await client.disagreements(pages)), ...(await storeDifferences(data, client.project)))
    return { wrong, recoveryMs }
  }
}

async function expectDone(
  client: SiteClient,
  page: TrackedPage,
  operation: 'edit' | 'publish',
): Promise<void> {
  const status = await client.perform(page, operation)
  if (status !== 200) throw new Error(`${operation} of ${page.slug} was answered ${status}.`)
}

async function workUntilDeath(client: SiteClient, page: TrackedPage, random: Random): Promise<void> {
  for (;;) {
    const operation = random.pick(['edit', 'publish', 'publish', 'unpublish'] as const)
    if ((await client.perform(page, operation)) === null) return
  }
}
