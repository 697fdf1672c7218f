import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSqlite } from '../../src/db/sqlite.ts'
import { siteOf } from '../http/data-mode/sealed-site.ts'
import { startCommand } from '../support/command.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const quoin = (...args: string[]) => startCommand(args).ended

async function verify(data: string, ...args: string[]) {
  const { code, out, err } = await quoin('verify', '--data', data, '--json', ...args)
  if (out === '') throw new Error(err)
  const { ok, projects, objects, differences } = JSON.parse(out)
  const found = differences.map(
    ({ kind, key, repaired }: { kind: string; key: string; repaired: boolean }) =>
      `${kind} ${key.replace(/_assets\/.*/, '_assets/…')}${repaired ? ' repaired' : ''}`,
  )
  return { code, ok, projects, objects, found: found.sort() }
}

/** Publishes two articles, one of them in a list and with a tag, two docs pages and a page that is unpublished again. The service stays open. */
async function publishSite() {
  const data = await temporaryFolder()
  const service = await startService({ data })
  const project = await service.newProject()
  await publish(service, project, { slug: 'one', markdown_content: 'One.' })
  await publish(service, project, { slug: 'a', subroute: 'docs', type: 'docs' })
  await publish(service, project, { slug: 'b', subroute: 'docs', type: 'docs' })
  await publish(service, project, { slug: 'listed', subroute: 'blog', tags: ['Trains'] })
  const gone = await publish(service, project, { slug: 'gone' })
  await service.call('POST', `/pages/${gone}/unpublish`)
  const site = join(data, 'cdn', project)
  return { service, data, project, site }
}

async function publish(service: TestService, project: string, fields: object): Promise<string> {
  const { body } = await service.call('POST', '/pages', pageBody(project, fields))
  const { status } = await service.call('POST', `/pages/${body.data.id}/publish`)
  expect(status).toBe(200)
  return body.data.id
}

/** The texts of all files of a folder, by path. */
function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  // A job writes it some seconds after a publish.
  const files = names.filter((name) => name !== 'llms-full.txt' && statSync(join(folder, name)).isFile())
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'latin1')]))
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Postpones the job that writes the search index some seconds after a publish. */
async function keepSearchIndex(data: string): Promise<void> {
  await changeRows(
    data,
    "UPDATE jobs SET due_at = '9999-12-31T00:00:00.000Z' WHERE kind = 'search-index' AND state = 'queued'",
  )
  await expect.poll(() => countOfRunningJobs(data)).toBe(0)
}

async function countOfRunningJobs(data: string): Promise<number> {
  const { writer, reader } = openSqlite(join(data, 'quoin.db'))
  try {
    return (await reader('jobs').where({ kind: 'search-index', state: 'running' })).length
  } finally {
    await Promise.all([writer.destroy(), reader.destroy()])
  }
}

async function changeRows(data: string, ...statements: readonly string[]): Promise<void> {
  const { writer, reader } = openSqlite(join(data, 'quoin.db'))
  try {
    for (const statement of statements) await writer.raw(statement)
  } finally {
    await Promise.all([writer.destroy(), reader.destroy()])
  }
}

async function statesOfReleases(data: string): Promise<readonly string[]> {
  const { writer, reader } = openSqlite(join(data, 'quoin.db'))
  try {
    return await reader('releases').orderBy('seq').pluck('state')
  } finally {
    await Promise.all([writer.destroy(), reader.destroy()])
  }
}

test('a folder without a database is refused and stays as it is', async () => {
  const data = join(await temporaryFolder(), 'none')
  const { code, err } = await quoin('verify', '--data', data)
  expect([code, err]).toEqual([2, expect.stringContaining('there is no database')])
  expect(existsSync(data)).toBe(false)
})

describe('a published site', () => {
  test('agrees with the database, even while its server publishes', async () => {
    const { service, data, project } = await publishSite()
    try {
      let publishing = true
      const load = (async () => {
        for (let n = 0; publishing; n++) await publish(service, project, { slug: `more-${n % 50}-${n}` })
      })()
      const result = await verify(data)
      publishing = false
      await load
      expect(result).toMatchObject({ code: 0, ok: true, projects: 1, found: [] })
      expect(result.objects).toBeGreaterThan(8)
    } finally {
      await service.close()
    }
  })

  test('prints one line when it agrees', async () => {
    const { service, data, project } = await publishSite()
    await service.close()
    const { code, out, err } = await quoin('verify', '--data', data, '--project', project)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^\d+ objects of 1 project: database and storage agree\.\n$/)
  })
})

describe('a damaged site', () => {
  test('is reported, repaired byte for byte while its server runs, and agrees again', async () => {
    const { service, data, site } = await publishSite()
    try {
      await keepSearchIndex(data)
      const before = filesOf(site)
      const asset = Object.keys(before).find((name) => name.startsWith('_assets/'))
      rmSync(join(site, 'one/index.html'))
      rmSync(join(site, asset ?? ''))
      write(join(site, 'docs/a/index.html'), 'defaced')
      rmSync(join(site, '404.html'))
      rmSync(join(site, 'blog/index.html'))
      rmSync(join(site, 'blog/tags/trains/index.html'))
      write(join(site, 'blog/tags/trains/feed.xml'), 'defaced')
      write(join(site, 'tags/index.html'), 'defaced')
      write(join(site, 'blog/tags/old/index.html'), 'a stray')
      const [nav = ''] = Object.keys(before).filter((name) => name.startsWith('_nav/'))
      write(join(site, nav), '{}')
      write(join(site, 'gone/index.html'), 'a stray')
      write(join(site, 'foreign.txt'), 'a stray')
      const manifest = JSON.parse(before['_index.json'] ?? '')
      const ghost = { ...manifest.pages[0], id: 'page_aaaaaaaaaaaaaaaa', file: 'ghost/index.html' }
      write(
        join(site, '_index.json'),
        JSON.stringify({ ...manifest, pages: [ghost, ...manifest.pages.slice(1)] }),
      )
      await changeRows(
        data,
        "UPDATE live_objects SET claimed_by = (SELECT id FROM releases LIMIT 1) WHERE key = 'docs/b/index.html'",
        `INSERT INTO live_objects (project_id, key, owner_kind, owner_id, claimed_by)
         SELECT project_id, 'left/index.html', 'page', page_id, id FROM releases LIMIT 1`,
      )
      const wrong = [
        'altered _index.json',
        `altered ${nav}`,
        'altered blog/tags/trains/feed.xml',
        'altered docs/a/index.html',
        'altered tags/index.html',
        'claim docs/b/index.html',
        'claim left/index.html',
        'index ghost/index.html',
        'index one/index.html',
        'missing 404.html',
        'missing _assets/…',
        'missing blog/index.html',
        'missing blog/tags/trains/index.html',
        'missing one/index.html',
        'orphan blog/tags/old/index.html',
        'orphan foreign.txt',
        'orphan gone/index.html',
      ]

      expect(await verify(data)).toMatchObject({ code: 1, ok: false, found: wrong })
      expect(filesOf(site)['foreign.txt']).toBe('a stray')

      const repaired = await verify(data, '--repair')
      expect(repaired).toMatchObject({ code: 0, ok: true, found: wrong.map((line) => `${line} repaired`) })
      expect(filesOf(site)).toEqual(before)
      expect(await verify(data)).toMatchObject({ code: 0, found: [] })
    } finally {
      await service.close()
    }
  })

  test('stays damaged when its files are not stored elsewhere, and the output says so', async () => {
    const { service, data, site } = await publishSite()
    await service.close()
    rmSync(join(site, 'one/index.html'))
    rmSync(join(site, '404.html'))
    await changeRows(data, 'DELETE FROM artifacts')
    const { code, out, err } = await quoin('verify', '--data', data, '--repair')
    expect(code).toBe(1)
    expect(out).toMatch(/missing +\S+\/one\/index\.html .*not stored; publish the page again/)
    expect(out).toMatch(/fixed +\S+\/404\.html/)
    expect(out).toMatch(/: 1 difference, 1 fixed\.\n$/)
    expect(err).toBe('quoin: Some differences could not be repaired.\n')
  })

  test('with an unfinished release is completed by --repair', async () => {
    const { service, data, site } = await publishSite()
    await service.close()
    await changeRows(
      data,
      // No request awaits it: a deadline that is near would leave a busy machine too little time to render.
      "UPDATE releases SET state = 'claimed', deadline_at = NULL WHERE seq = 1",
      'DELETE FROM release_objects WHERE release_id = (SELECT id FROM releases WHERE seq = 1)',
      "DELETE FROM live_objects WHERE key = 'one/index.html'",
      "DELETE FROM live_pages WHERE slug = 'one'",
    )
    expect(await verify(data)).toMatchObject({ code: 1, found: [expect.stringMatching(/^unfinished rel_/)] })
    expect(await verify(data, '--repair')).toMatchObject({ code: 0 })
    expect(Object.keys(filesOf(site))).toContain('one/index.html')
  })

  test('is left to the servers when the command lacks its theme, and so is the waiting queue', async () => {
    const data = await temporaryFolder()
    const themes = await temporaryFolder()
    write(join(themes, 'mine/theme.json'), JSON.stringify({ extends: 'dark' }))
    const service = await startService({ data, env: { QUOIN_THEMES: themes } })
    const project = await service.newProject()
    await service.call('PUT', `/projects/${project}/settings`, { theme: 'mine' })
    await publish(service, project, { slug: 'one' })
    await service.close()
    const statesAre = async (state: string) => {
      await changeRows(
        data,
        // No request awaits it: a deadline that is near would leave a busy machine too little time to render.
        `UPDATE releases SET state = '${state}', finished_at = NULL, undo = NULL, deadline_at = NULL`,
        'DELETE FROM release_objects',
        "DELETE FROM live_objects WHERE key = 'one/index.html'",
        'DELETE FROM live_pages',
      )
    }

    await statesAre('queued')
    await verify(data, '--repair', '--themes', themes)
    await verify(data, '--repair')
    expect(await statesOfReleases(data)).toEqual(['queued'])

    await statesAre('claimed')
    const without = await quoin('verify', '--data', data, '--repair')
    expect(without.code).toBe(1)
    expect(without.out).toContain('the theme mine is not installed. Name its folder in QUOIN_THEMES.')
    expect(await statesOfReleases(data)).toEqual(['claimed'])

    expect(await verify(data, '--repair', '--themes', themes)).toMatchObject({ code: 0 })
    expect(await statesOfReleases(data)).toEqual(['live'])
  })

  test('does not cause --repair to remove files of other databases or of the operator', async () => {
    const { service, data } = await publishSite()
    await service.close()
    write(join(data, 'cdn/proj_aaaaaaaaaaaaaaaa/index.html'), 'of another database')
    write(join(data, 'cdn/notes.txt'), "the operator's own")
    expect(await verify(data, '--repair')).toMatchObject({ code: 1, found: ['foreign '] })
    expect(readFileSync(join(data, 'cdn/proj_aaaaaaaaaaaaaaaa/index.html'), 'utf8')).toBe(
      'of another database',
    )
  })
})

test('files of a deleted project are removed', async () => {
  const { service, data, project, site } = await publishSite()
  await service.call('PUT', `/projects/${project}`, { status: 'archived' })
  await service.call('DELETE', `/projects/${project}`)
  await service.close()
  write(join(site, 'late/index.html'), 'a late write')
  expect(await verify(data)).toMatchObject({ code: 1, found: ['orphan late/index.html'] })
  expect(await verify(data, '--repair')).toMatchObject({ code: 0 })
  expect(await verify(data)).toMatchObject({ code: 0, found: [] })
})

test('a damaged site in Data Mode is reported and repaired, sealed with its own key', async () => {
  const data = await temporaryFolder()
  const service = await startService({ data })
  try {
    const sealed = siteOf(service, await service.newProject('Vault'))
    const key = await sealed.keyOf('enable')
    await publish(service, sealed.project, { slug: 'one', markdown_content: 'A secret text.' })
    await publish(service, sealed.project, { slug: 'two' })
    const site = join(data, 'cdn', sealed.project)
    const before = await sealed.open(key, 'one.json')
    expect(await verify(data)).toMatchObject({ code: 0, found: [] })

    // Sealed with the right key, but with the bytes of another page; and a file that no key opens.
    write(join(site, 'one.json'), readFileSync(join(site, 'two.json'), 'utf8'))
    rmSync(join(site, 'two.json'))
    const wrong = ['altered one.json', 'missing two.json']
    expect(await verify(data)).toMatchObject({ code: 1, found: wrong })
    expect(await verify(data, '--repair')).toMatchObject({
      code: 0,
      found: wrong.map((line) => `${line} repaired`),
    })
    expect(await sealed.open(key, 'one.json')).toEqual(before)
    expect(await sealed.open(key, 'two.json')).toMatchObject({ slug: 'two' })
    expect(Object.values(filesOf(site)).join()).not.toContain('A secret text.')
    expect(await verify(data)).toMatchObject({ code: 0, found: [] })
  } finally {
    await service.close()
  }
})

test('an unknown project is refused', async () => {
  const data = await temporaryFolder()
  await (await startService({ data })).close()
  const { code, err } = await quoin('verify', '--data', data, '--project', 'proj_aaaaaaaaaaaaaaaa')
  expect({ code, err }).toEqual({ code: 1, err: 'quoin: No project has the id proj_aaaaaaaaaaaaaaaa.\n' })
})

describe('the search index', () => {
  test('is compared like all other files, and rebuilt when it is damaged', async () => {
    const { service, data, project, site } = await publishSite()
    try {
      const shards = join(site, '_search')
      const isWritten = () => existsSync(shards) && readdirSync(shards).length > 0
      while (!isWritten() || !(await isIdle(data))) await new Promise((done) => setTimeout(done, 100))
      const before = filesOf(shards)
      expect(await verify(data)).toMatchObject({ code: 0, found: [] })

      const [shard = ''] = Object.keys(before)
      rmSync(join(shards, shard))
      write(join(site, '_search.json'), '{}')
      write(join(shards, '0123456789abcdef.json'), '[]')
      const damages = [
        'altered _search.json',
        `missing _search/${shard}`,
        'orphan _search/0123456789abcdef.json',
      ]
      expect((await verify(data, '--project', project)).found).toEqual(damages)

      const { found } = await verify(data, '--repair')
      expect(found).toEqual(damages.map((damage) => `${damage} repaired`))
      expect(await verify(data)).toMatchObject({ code: 0, found: [] })
      expect(readFileSync(join(site, '_search.json'), 'utf8')).toContain('"total":4')
    } finally {
      await service.close()
    }
  })
})

/** Whether no job is queued or running that could write an index. */
async function isIdle(data: string): Promise<boolean> {
  const { writer, reader } = openSqlite(join(data, 'quoin.db'))
  try {
    return (await reader('jobs').whereIn('state', ['queued', 'running'])).length === 0
  } finally {
    await Promise.all([writer.destroy(), reader.destroy()])
  }
}
