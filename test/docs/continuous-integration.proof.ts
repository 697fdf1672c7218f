import { spawn } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { startCommand } from '../support/command.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const document = await readFile(join(PACKAGE_ROOT, 'docs/CONTINUOUS-INTEGRATION.md'), 'utf8')
const action = parse(await readFile(join(PACKAGE_ROOT, '.github/actions/site/action.yml'), 'utf8')) as {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
  readonly runs: {
    readonly steps: readonly { readonly env: Readonly<Record<string, string>>; readonly run: string }[]
  }
}

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/**
 * A site in a folder, on a machine where `npx quoin` is this checkout's command, `npm ci` has nothing to install, and
 * `gh` writes its arguments and the comment to a file.
 */
async function repository() {
  const folder = await temporaryFolder()
  const site = join(folder, 'site')
  expect((await startCommand(['init', site]).ended).code).toBe(0)
  const programs = join(folder, 'bin')
  await mkdir(programs)
  const scripts = {
    npx: `[ "$1" = quoin ] || exit 64\nshift\nexec '${process.execPath}' '${join(PACKAGE_ROOT, 'dist/cli.js')}' "$@"`,
    npm: '[ "$1" = ci ]',
    gh: `echo "$@" > '${folder}/comment'\ncat "\${@: -1}" >> '${folder}/comment'`,
  }
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(programs, name), `#!/bin/bash\n${script}\n`)
    await chmod(join(programs, name), 0o755)
  }
  const run = (script: string, env: Readonly<Record<string, string>> = {}) =>
    new Promise<{ code: number | null; out: string }>((resolve) => {
      const child = spawn('bash', ['-eo', 'pipefail', '-c', script], {
        cwd: site,
        env: {
          PATH: `${programs}:${process.env['PATH']}`,
          HOME: folder,
          GITHUB_STEP_SUMMARY: join(folder, 'summary'),
          QUOIN_KEY: service.key,
          ...env,
        },
      })
      let out = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (out += text))
      child.once('close', (code) => resolve({ code, out }))
    })
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  return { site, run, read }
}

/** Runs the steps of the action as a runner of GitHub would. */
async function runAction(
  { run }: Awaited<ReturnType<typeof repository>>,
  inputs: Readonly<Record<string, string>>,
  pullRequest = '',
) {
  const known: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      Object.entries(action.inputs).map(([name, input]) => [`inputs.${name}`, input.default]),
    ),
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value])),
    'github.token': 'token',
    'github.event.pull_request.number': pullRequest,
  }
  let out = ''
  for (const { env, run: script } of action.runs.steps) {
    // Inputs reach the scripts as variables only, so that none of their characters is code.
    expect(script).not.toContain('${{')
    const values = Object.entries(env).map(([name, value]) => [
      name,
      value.replace(
        /^\$\{\{ (.+) \}\}$/,
        (_, expression) => known[expression] ?? expect.unreachable(expression),
      ),
    ])
    const ended = await run(script, Object.fromEntries(values))
    out += ended.out
    if (ended.code !== 0) return { code: ended.code, out }
  }
  return { code: 0, out }
}

/** The states of all pages of the service. */
async function statesOfPages(): Promise<readonly string[]> {
  const { data: projects } = (await service.call('GET', '/projects')).body
  const lists = await Promise.all(
    projects.map(({ id }: { id: string }) => service.call('GET', `/pages?project_id=${id}`)),
  )
  return lists.flatMap(({ body }) => body.data.map(({ status }: { status: string }) => status))
}

describe('the action for GitHub', () => {
  test('says in a pull request what would change, and publishes it once it is on the main branch', async () => {
    const own = await repository()
    const inputs = { server: service.url, key: service.key }
    const before = await statesOfPages()
    const proposed = await runAction(own, inputs, '7')
    expect(proposed.code, proposed.out).toBe(0)
    expect(await statesOfPages()).toEqual(before)
    expect(await own.read('comment')).toMatch(
      /^pr comment 7 --edit-last .*\n\*\*What this change would publish\*\*/,
    )
    expect(await own.read('summary')).toContain('blog/hello')
    const merged = await runAction(own, inputs)
    expect(merged.code, merged.out).toBe(0)
    expect((await statesOfPages()).filter((status) => status === 'published').length).toBeGreaterThan(3)
  })

  test('fails on a dead link, at its line, and deploys what is sound', async () => {
    const own = await repository()
    const target = await temporaryFolder()
    const page = join(own.site, 'docs/writing.md')
    const text = await readFile(page, 'utf8')
    await writeFile(page, `${text}\n[gone](/nowhere)\n`)
    const broken = await runAction(own, { 'deploy-to': `file:${target}` })
    expect(broken.code).toBe(1)
    expect(broken.out).toMatch(/^::warning .*file=.*writing\.md,line=\d+.*QN-DEADLINK/m)
    await writeFile(page, text)
    const sound = await runAction(own, { 'deploy-to': `file:${target}` })
    expect(sound.code, sound.out).toBe(0)
    expect(await readFile(join(target, 'index.html'), 'utf8')).toContain('<html')
  })

  test('builds, and pushes nothing, where a fork has no key', async () => {
    const own = await repository()
    const ended = await runAction(own, { server: service.url })
    expect([ended.code, ended.out]).toEqual([0, expect.stringContaining('No key')])
  })
})

/** The fenced text of a language that begins with a comment with a file's name. */
const recipe = (language: string, file: string): string =>
  document.split(`\`\`\`${language}\n# ${file}\n`)[1]?.split('```')[0] ?? expect.unreachable(file)

test('the workflow for GitHub gives the action inputs that it has', () => {
  const workflow = parse(recipe('yaml', '.github/workflows/site.yaml'))
  const { with: inputs } = workflow.jobs.site.steps.at(-1)
  expect(Object.keys(inputs).filter((name) => action.inputs[name] === undefined)).toEqual([])
})

test('the recipe for GitLab checks and publishes a site', async () => {
  const { run } = await repository()
  const { before_script: before, check, publish } = parse(recipe('yaml', '.gitlab-ci.yml'))
  for (const { script } of [check, publish]) {
    const lines = [...before, ...script].join('\n').replace('https://quoin.example.com', service.url)
    const ended = await run(lines)
    expect(ended.code, ended.out).toBe(0)
  }
})

test('the recipe for Netlify builds the folder that it publishes', async () => {
  const { run, site } = await repository()
  const { build } = parseToml(recipe('toml', 'netlify.toml')) as {
    build: { command: string; publish: string }
  }
  const ended = await run(build.command, { URL: 'https://site.example.com' })
  expect(ended.code, ended.out).toBe(0)
  expect(await readFile(join(site, build.publish, 'sitemap.xml'), 'utf8')).toContain(
    'https://site.example.com',
  )
})
