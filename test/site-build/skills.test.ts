import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readSiteFiles } from './read-site-files.ts'
import { NOTES, temporarySite } from './temporary-site.ts'

const SKILL = '---\nname: fold-paper\ndescription: Folds paper. Use for cranes.\n---\n\nFold it.\n'
const FILE = 'skills/fold-paper/SKILL.md'
const INDEX = '.well-known/agent-skills/index.json'

test('a skill is published as it is, with an index that has its digest, and llms.txt names it', async () => {
  const { out, build } = await temporarySite({
    ...NOTES,
    [FILE]: SKILL,
    'skills/index.md': '---\ntitle: Ours\n---\nA.',
  })
  await build()
  const files = await readSiteFiles(out)
  expect(files.get(FILE)).toBe(SKILL)
  expect([...files.keys()].filter((key) => key.startsWith('skills/'))).toEqual([
    FILE,
    'skills/index.html',
    'skills/index.md',
  ])
  const index = JSON.parse(files.get(INDEX) ?? '')
  expect(index).toEqual({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name: 'fold-paper',
        type: 'skill-md',
        description: 'Folds paper. Use for cranes.',
        url: '../../skills/fold-paper/SKILL.md',
        digest: `sha256:${createHash('sha256').update(SKILL).digest('hex')}`,
      },
    ],
  })
  const address = 'https://notes.example/skills/fold-paper/SKILL.md'
  expect(new URL(index.skills[0].url, `https://notes.example/${INDEX}`).href).toBe(address)
  expect(files.get('llms.txt')).toContain(
    `\n## Agent skills\n\n- [fold-paper](${address}): Folds paper. Use for cranes.\n`,
  )
  expect(files.get('llms-full.txt')).not.toContain('Fold it.')
})

test('builds after edits have the files of a first build', async () => {
  const site = await temporarySite({ ...NOTES, [FILE]: SKILL })
  await site.build()
  const cold = async (files: Readonly<Record<string, string>>) => {
    const other = await temporarySite({ ...NOTES, ...files })
    await other.build()
    return readSiteFiles(other.out)
  }
  const page = '---\ntitle: A\n---\nAnother text.\n'
  await site.put('docs/a.md', page)
  await site.build()
  expect((await readSiteFiles(site.out)).get('llms.txt')).toBe(
    (await cold({ [FILE]: SKILL, 'docs/a.md': page })).get('llms.txt'),
  )
  const other = SKILL.replace('cranes', 'boats')
  await site.put(FILE, other)
  await site.build()
  const names = ['llms.txt', INDEX, FILE]
  const some = (files: ReadonlyMap<string, string>) => names.map((name) => files.get(name))
  expect(some(await readSiteFiles(site.out))).toEqual(some(await cold({ [FILE]: other, 'docs/a.md': page })))
  await site.drop(FILE)
  await site.build()
  const without = await readSiteFiles(site.out)
  expect([without.has(FILE), without.has(INDEX)]).toEqual([false, false])
  expect(without.get('llms.txt')).not.toContain('skills')
})

test('an index of the author stays, and a site in Data Mode has none', async () => {
  const files = { ...NOTES, [FILE]: SKILL, [`static/${INDEX}`]: '{}' }
  const own = await temporarySite(files)
  await own.build()
  expect((await readSiteFiles(own.out)).get(INDEX)).toBe('{}')
  const sealed = await temporarySite({ ...NOTES, [FILE]: SKILL })
  await sealed.build({}, false, Buffer.alloc(32, 7))
  const keys = [...(await readSiteFiles(sealed.out)).keys()]
  expect(keys.filter((key) => /skill/i.test(key))).toEqual([])
})

test.each([
  ['Text.', 1, 'A skill starts with front matter that has a name and a description.'],
  ['---\nname: [\n---\nA.', 3, 'must be sufficiently indented'],
  ['---\nname: Fold\ndescription: A.\n---\nA.', 2, 'name must have 1 to 64 small letters'],
  [`---\nname: ${'a'.repeat(65)}\ndescription: A.\n---\nA.`, 2, 'name must have 1 to 64'],
  ['---\nname: fold--paper\ndescription: A.\n---\nA.', 2, 'no two together'],
  ['---\nname: other\ndescription: A.\n---\nA.', 2, 'name must be that of the folder, fold-paper.'],
  ['---\nname: fold-paper\n---\nA.', 1, 'needs a description'],
  ['---\nname: fold-paper\ndescription: 5\n---\nA.', 3, 'needs a description'],
  [`---\nname: fold-paper\ndescription: ${'x'.repeat(1025)}\n---\nA.`, 3, 'description has 1025 characters'],
  ['---\nname: fold-paper\ndescription: A.\n---\n\n', 6, 'The skill has no text'],
  [`---\nname: fold-paper\ndescription: A.\n---\n${'x'.repeat(270_000)}`, 1, 'at most 256 KiB'],
])('a wrong skill is an error with its line: %#', async (text, line, message) => {
  const { out, run } = await temporarySite({ ...NOTES, [FILE]: text })
  const result = await run()
  const errors = 'errors' in result ? result.errors : []
  expect(errors).toEqual([
    expect.objectContaining({ file: FILE, line, message: expect.stringContaining(message) }),
  ])
  expect([...(await readSiteFiles(out))]).toEqual([])
})
