import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { convertTexts } from './convert-texts.ts'

const SITE = { 'mkdocs.yml': 'site_name: A\n', 'docs/index.md': '# Home\n', 'docs/a.md': '# A\n' }

/** Where each path leads in the new site, and what is said of redirects. */
async function redirects(files: Readonly<Record<string, string>>) {
  const { texts, lines } = await convertTexts('mkdocs', { ...SITE, ...files })
  const page = /redirect_from:\n((?: {2}- .*\n)+)/.exec(texts.get('a.md') ?? '')?.[1] ?? ''
  return {
    toPage: [...page.matchAll(/- (.*)\n/g)].map(([, path]) => path),
    others: parse(texts.get('redirects.yaml') ?? '{}') as object,
    said: lines.filter((line) => line.includes('QN-UNUSED-REDIRECT')),
    files: [...texts.keys()].filter((path) => path.includes('static')),
  }
}

test.each([
  [
    '_redirects',
    '# Old\n/old /a\n/older/ /a/ 301 # why\n/ext https://x.example/ 302\n/blog/* /news/:splat\n/app /a 200\n/de /a 301 Language=de\n',
    ['/blog/* 5', '/app 6', '/de 7'],
  ],
  [
    'docs/.htaccess',
    'RewriteEngine On\nRedirect 301 /old /a\nRewriteRule ^older/?$ /a [R=301,L]\nRedirectPermanent /ext https://x.example/\nRedirectMatch 301 ^/blog/(.*)$ /news/$1\nRewriteCond %{HTTPS} off\nRewriteRule ^app$ /a [R=301,L]\n',
    ['^/blog/(.*)$ 5', '^app$ 7'],
  ],
  [
    'vercel.json',
    '{ "redirects": [\n{ "source": "/old", "destination": "/a" },\n{ "source": "/older/", "destination": "/a" },\n{ "source": "/ext", "destination": "https://x.example/" },\n{ "source": "/blog/:path*", "destination": "/news/:path*" },\n{ "source": "/app", "destination": "/a", "has": [] }\n] }\n',
    ['/blog/:path* 5', '/app 6'],
  ],
  [
    'netlify.toml',
    '[[redirects]]\nfrom = "/old"\nto = "/a"\n[[redirects]]\nfrom = "/older"\nto = "/a"\n[[redirects]]\nfrom = "/ext"\nto = "https://x.example/"\n[[redirects]]\nfrom = "/app"\nto = "/a"\nstatus = 200\n',
    ['/app 11'],
  ],
])(
  'simple redirects of %s lead on, and the others are reported with their lines',
  async (file, text, others) => {
    const found = await redirects({ [file]: text })
    expect(found.toPage).toEqual(['/old', '/older'])
    expect(found.others).toEqual({ '/ext': 'https://x.example/' })
    expect(found.said).toEqual(
      others.map((other) => {
        const [from, line] = other.split(' ')
        return `${file}:${line}: warning QN-UNUSED-REDIRECT The redirect from ${from} is left out: it is a pattern, a rewrite or has a condition, and there are none.`
      }),
    )
    expect(found.files).toEqual([])
  },
)

test('a redirect that leads nowhere is reported where it is written', async () => {
  const { said } = await redirects({ _redirects: '/x /a\n/old /gone\n' })
  expect(said).toEqual([
    '_redirects:2: warning QN-UNUSED-REDIRECT The redirect from /old is left out: /gone is no page or file of the new site.',
  ])
})
