// Builds of a site of photos by Quoin, and the same widths and formats of the same photos by Eleventy Image, in
// alternation. Quoin also writes the pages and the photos without their metadata; Eleventy Image derives pictures only.
// node test/bench/bench.mjs pictures [photos] [rounds] [width]
// Later builds are quick: they have five rounds at least.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { interleaved, moveAside } from './builds.mjs'
import { writePhotos } from './photos.mjs'
import { folder, median, root } from './quoin.mjs'
import { note } from './table.mjs'

const [, , , photos = '60', rounds = '5', width = '4000'] = process.argv
const ELEVENTY_IMAGE = '6.0.4'
const WIDTHS = [320, 640, 960, 1280, 1920, 2560]
const SIZE = { width: Number(width), height: Math.round(Number(width) * 0.75) }
const LATER_ROUNDS = Math.max(5, Number(rounds))
/** Pictures that screens can need whole are derived in their own width too. */
const OWN_WIDTH = SIZE.width <= WIDTHS.at(-1) ? [SIZE.width] : []
const GOALS = {
  'cold build': 'at most 1.0',
  'nothing changed': 'at most 0.2',
  'one page changed': 'at most 0.2',
}

export async function benchPictures() {
  const site = join(folder, 'photos')
  await writeSite(join(site, 'content'), Number(photos))
  const page = join(site, 'content', 'p0.md')
  const builders = [quoin(site), eleventyImage(site)]
  console.log(
    `${photos} photos of ${SIZE.width} × ${SIZE.height}; ${builders.map(({ name }) => name).join(', ')}`,
  )
  show('cold build', await interleaved(builders, (builder) => builder.clear(), rounds))
  show('nothing changed', await interleaved(builders, () => {}, LATER_ROUNDS))
  let n = 0
  const edit = () => writeFileSync(page, `# Photo 0\n\n![](photo-0.jpg)\n\nChanged ${n++} times.\n`)
  show('one page changed', await interleaved(builders, edit, LATER_ROUNDS))
}

async function writeSite(content, count) {
  mkdirSync(content, { recursive: true })
  writeFileSync(join(content, 'site.yaml'), 'name: Photos\nurl: https://photos.example\n')
  await writePhotos(count, SIZE, (n) => join(content, `photo-${n}.jpg`))
  for (let n = 0; n < count; n++)
    writeFileSync(join(content, `p${n}.md`), `# Photo ${n}\n\n![](photo-${n}.jpg)\n`)
}

function quoin(site) {
  const out = join(site, 'out-quoin')
  return {
    name: 'Quoin',
    cwd: site,
    command: [process.execPath, `${root}dist/cli.js`, 'build', 'content', '--out', out],
    clear: () => moveAside(out),
  }
}

function eleventyImage(site) {
  const at = join(site, 'eleventy-image')
  mkdirSync(at, { recursive: true })
  const dependencies = { '@11ty/eleventy-img': ELEVENTY_IMAGE }
  writeFileSync(join(at, 'package.json'), JSON.stringify({ type: 'module', private: true, dependencies }))
  const installed = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: at })
  if (installed.status !== 0) throw new Error(`npm could not install Eleventy Image: ${installed.stderr}`)
  const out = join(site, 'out-eleventy-image')
  writeFileSync(
    join(at, 'derive.mjs'),
    `import { readdirSync } from 'node:fs'
import Image from '@11ty/eleventy-img'
const content = ${JSON.stringify(join(site, 'content'))}
const photos = readdirSync(content).filter((name) => name.endsWith('.jpg'))
const options = { widths: ${JSON.stringify([...WIDTHS.filter((width) => width < SIZE.width), ...OWN_WIDTH])}, formats: ['webp'], outputDir: ${JSON.stringify(out)}, urlPath: '/img/' }
await Promise.all(photos.map((name) => Image(content + '/' + name, options)))
`,
  )
  return {
    name: `Eleventy Image ${ELEVENTY_IMAGE}`,
    cwd: at,
    command: [process.execPath, 'derive.mjs'],
    clear: () => rmSync(out, { recursive: true, force: true }),
  }
}

function show(what, runs) {
  const [[, ours], [name, theirs]] = runs
  for (const [builder, all] of runs) {
    const of = (key) => median(all.map((run) => run[key]))
    console.log(
      `${what}, ${builder}: ${of('wall').toFixed(2)} s, processor ${of('cpu').toFixed(2)} s, memory ${of('memory').toFixed(0)} MB`,
    )
  }
  const ratio = (key) => median(ours.map((run, n) => run[key] / theirs[n][key])).toFixed(3)
  console.log(`${what}, Quoin against ${name}: time ${ratio('wall')}, processor ${ratio('cpu')}`)
  note(`${what} of ${photos} photos of ${width} pixels, against ${name}`, ratio('wall'), GOALS[what])
  note(`its processor time, ${what}, ${photos} photos of ${width} pixels`, ratio('cpu'), GOALS[what])
}
