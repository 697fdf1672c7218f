// A site as people have it: code in colours, photos, three languages and tags, against the same pages plain: code without
// languages, no photos, folders that are not connected. Builds are cold, but for the derived pictures of an earlier one.
// node test/bench/bench.mjs people [pages] [rounds]
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { moveAside, timed } from './builds.mjs'
import { writeCopies } from './connected.mjs'
import { build, buildRounds, cold, show, showProcessor } from './own-builds.mjs'
import { writePhotos } from './photos.mjs'
import { median } from './quoin.mjs'
import { note } from './table.mjs'

const PAGES = Number(process.argv[3] ?? 4_000)
/** One page in ten has a photo of its own. */
const PAGES_PER_PHOTO = 10
const SIZE = { width: 1_600, height: 1_200 }
const FOLDERS = ['', 'fr', 'de']
const TAGS = ['Guides', 'News', 'Releases', 'Tools', 'People', 'Places', 'Ideas', 'Questions']
const SETTINGS = `locales:
  - { code: en, label: English }
  - { code: fr, label: Français, subroute: fr }
  - { code: de, label: Deutsch, subroute: de }
`

export async function benchPeople() {
  const plain = writeCopies('plain', { pages: PAGES, folders: FOLDERS })
  const people = writeCopies('people', {
    pages: PAGES,
    folders: FOLDERS,
    settings: SETTINGS,
    languages: true,
    change: withTagsAndPhoto,
  })
  const photos = Math.ceil(PAGES / PAGES_PER_PHOTO)
  mkdirSync(join(people.content, 'photos'))
  await writePhotos(photos, SIZE, (n) => join(people.content, 'photos', `photo-${n}.jpg`))
  await timed(build(people))

  const runs = await buildRounds({
    plain: cold(plain),
    people: { ...cold(people), before: () => moveAllButPictures(people.out) },
  })
  const what = `${PAGES} pages with code in colours, ${photos} photos, three languages and tags`
  show(`${what}, against plain`, runs.people, runs.plain)
  showProcessor(what, runs.people, runs.plain)
  const more = median(runs.people.map((run, n) => run.memory / runs.plain[n].memory)).toFixed(2)
  console.log(`peak memory of ${what}, against plain: ${more}`)
  note(`peak memory of ${what}, against plain`, more, '')
}

function withTagsAndPhoto(text, n) {
  const tags = [TAGS[n % TAGS.length], TAGS[(n * 3 + 1) % TAGS.length]]
  const tagged = text.replace('---\n', `---\ntags: ${JSON.stringify([...new Set(tags)])}\n`)
  return n % PAGES_PER_PHOTO === 0
    ? `${tagged}\n![A photo](/photos/photo-${n / PAGES_PER_PHOTO}.jpg)\n`
    : tagged
}

/** The next build is a cold one but for the derived pictures. */
function moveAllButPictures(out) {
  const [pictures, saved] = [join(out, '.quoin/media'), `${out}-pictures`]
  renameSync(pictures, saved)
  moveAside(out)
  mkdirSync(join(out, '.quoin'), { recursive: true })
  renameSync(saved, pictures)
}
