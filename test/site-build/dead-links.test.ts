import { expect, test } from 'vitest'
import { temporarySite } from './temporary-site.ts'

test('a link to a page that is named like a file is alive, and its anchor is checked', async () => {
  const { build } = await temporarySite({
    'site.yaml': 'name: Notes\n',
    'index.md':
      '---\ntitle: Home\n---\n[a](/api/router.link) [b](/api/router.link#use) [c](/api/router.link#no)\n[d](/api/router.view)\n',
    'api/router.link.md': '---\ntitle: Link\n---\n\n## Use\n',
  })
  expect((await build()).warnings.map(({ message }) => message)).toEqual([
    'The link "/api/router.link#no" is dead: /api/router.link has no anchor #no.',
    'The link "/api/router.view" is dead: the site has no file /api/router.view.',
  ])
})

test('a picture that is missing next to its page is named by its place in the folder', async () => {
  const { build } = await temporarySite({
    'site.yaml': 'name: Notes\n',
    'index.md': '---\ntitle: Home\n---\nText.\n',
    'about.md': '---\ntitle: About\n---\n![A cat](kat.jpg) ![A dog](/images/dog.jpg)\n',
    'docs/a.md': '---\ntitle: A\n---\n![A cat](../pictures/kat%20one.jpg)\n',
  })
  expect((await build()).warnings.map(({ message }) => message)).toEqual([
    'The image "kat.jpg" is dead: the folder has no file kat.jpg.',
    'The image "/images/dog.jpg" is dead: the site has no file /images/dog.jpg.',
    'The image "../pictures/kat%20one.jpg" is dead: the folder has no file pictures/kat one.jpg.',
  ])
})

test('links to the top of a page and to a text in it are alive', async () => {
  const { build } = await temporarySite({
    'site.yaml': 'name: Notes\n',
    'index.md':
      '---\ntitle: Home\n---\n[a](#top) [b](/docs/a#Top) [c](/docs/a#:~:text=word) [d](/docs/a#use:~:text=word) [e](/docs/a#no:~:text=word)\n',
    'docs/a.md': '---\ntitle: A\n---\n\n## Use\n\nword\n',
  })
  expect((await build()).warnings.map(({ message }) => message)).toEqual([
    'The link "/docs/a#no:~:text=word" is dead: /docs/a has no anchor #no.',
  ])
})

test('a link without an address is named at its line', async () => {
  const { build } = await temporarySite({
    'site.yaml': 'name: Notes\n',
    'index.md': '---\ntitle: Home\n---\nText.\n\nA [link]() without one.\n',
  })
  expect((await build()).warnings).toMatchObject([
    {
      file: 'index.md',
      line: 6,
      code: 'QN-UNSAFE-LINK',
      message: 'A link was dropped, because it has no address.',
    },
  ])
})
