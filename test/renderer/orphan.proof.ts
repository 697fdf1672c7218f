import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { serialize } from 'node:v8'
import { expect, onTestFinished, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { processUsage } from '../../src/platform/process-usage.ts'
import { livePage } from '../support/live-page.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A program whose renderer starts a page that never ends. It prints a line when it has requested the page. */
async function serviceInALoop() {
  const folder = await temporaryFolder()
  const own = join(folder, 'endless')
  await mkdir(join(own, 'layouts'), { recursive: true })
  await writeFile(join(own, 'theme.json'), JSON.stringify({ extends: 'default' }))
  await writeFile(join(own, 'layouts/article.eta'), '<% for (;;); %>')
  const page = livePage({ page: { type: 'article', markdown: 'Text.' }, settings: { theme: 'endless' } })
  await writeFile(join(folder, 'page'), serialize(page))
  const program = join(folder, 'service.mjs')
  await writeFile(
    program,
    `import { readFileSync } from 'node:fs'
     import { deserialize } from 'node:v8'
     const dist = (name) => import(${JSON.stringify(`${PACKAGE_ROOT}dist/`)} + name)
     const { createRendererPool } = await dist('renderer/pool.js')
     const { loadThemes } = await dist('theme/load-theme.js')
     const { THEME_FOLDERS, PACKAGE_ROOT } = await dist('platform/package-paths.js')
     const folders = { ...THEME_FOLDERS, custom: [${JSON.stringify(own)}] }
     const limits = { cpuMs: 3_600_000, wallMs: 3_600_000, memory: 2 ** 30 }
     const entry = PACKAGE_ROOT + 'dist/child.js'
     const pool = createRendererPool({ themes: await loadThemes(folders), folders, entry, size: 1, limits })
     pool.renderPage(deserialize(readFileSync(${JSON.stringify(join(folder, 'page'))}))).catch(console.log)
     console.log('asked')`,
  )
  const service = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void service.kill('SIGKILL'))
  await new Promise((resolve) => service.stdout.once('data', resolve))
  /** The renderers at this moment: the pool starts them one after the other. */
  const renderers = async () =>
    (await readFile(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8'))
      .split(' ')
      .filter(Boolean)
      .map(Number)
  return { service, renderers }
}

/** Whether the process runs. An ended process has no memory, even if its exit code was not read yet. */
function isThere(pid: number): boolean {
  return (processUsage(pid)?.memory ?? 0) > 0
}

test.runIf(process.platform === 'linux')(
  'a renderer whose service was killed ends, whatever page it is at',
  async () => {
    const { service, renderers } = await serviceInALoop()
    let started: readonly number[] = []
    onTestFinished(() => {
      for (const renderer of started.filter(isThere)) process.kill(renderer, 'SIGKILL')
    })
    // Longer than loading a renderer takes, so one of them renders the page.
    const isRendering = (renderer: number) => (processUsage(renderer)?.cpuMs ?? 0) >= 5_000
    while (!started.some(isRendering)) {
      await setTimeout(50)
      started = await renderers()
    }
    expect(started.filter(isRendering)).toHaveLength(1)
    service.kill('SIGKILL')
    while (started.some(isThere)) await setTimeout(50)
  },
)
