// Uses up this process's file descriptors, asks for a page, gives them back and asks again; prints what came.
import { closeSync, openSync } from 'node:fs'

const [root, given] = process.argv.slice(2)
const { createRendererPool } = await import(`${root}/dist/renderer/pool.js`)
const { loadThemes } = await import(`${root}/dist/theme/load-theme.js`)
const folders = { themes: `${root}/themes`, templates: `${root}/themes/_shared` }
const themes = await loadThemes(folders)
const live = { ...JSON.parse(given), context: { docs: null, collections: new Map(), neighbours: null } }
const pool = createRendererPool({ themes, folders, entry: `${root}/dist/child.js`, size: 1 })
const ask = () =>
  pool.renderPage(live).then(
    ({ artifacts }) => `${artifacts.length > 0}`,
    ({ message }) => message,
  )

const held = []
try {
  for (;;) held.push(openSync('/dev/null'))
} catch {
  // All are held.
}
const without = await ask()
for (const descriptor of held) closeSync(descriptor)
const again = await ask()
await pool.close()
console.log(JSON.stringify([without, again]))
