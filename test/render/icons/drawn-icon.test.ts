import { describe, expect, test } from 'vitest'
import { serviceOf } from '../../../src/render/icons/drawn-icon.ts'

/** Links that a site may have in its footer, and the service that their mark shows. */
const LINKS = {
  GitHub: ['https://github.com/acme', 'https://gist.github.com/acme/1'],
  GitLab: ['https://gitlab.com/acme'],
  Codeberg: ['https://codeberg.org/acme'],
  Gitea: ['https://gitea.com/acme'],
  SourceHut: ['https://sr.ht/~acme', 'https://git.sr.ht/~acme/site'],
  X: ['https://x.com/acme', 'https://twitter.com/acme'],
  Mastodon: [
    'https://mastodon.social/@acme',
    'https://mastodon.online/@acme',
    'https://fosstodon.org/about',
    'https://hachyderm.io/about',
    'https://mstdn.social/about',
    'https://mas.to/about',
    'https://social.acme.example/@team',
  ],
  Bluesky: ['https://bsky.app/profile/acme'],
  Threads: ['https://www.threads.net/@acme', 'https://threads.com/@acme'],
  YouTube: ['https://www.youtube.com/acme', 'https://youtu.be/abc'],
  Vimeo: ['https://vimeo.com/acme'],
  Twitch: ['https://twitch.tv/acme'],
  Discord: ['https://discord.com/invite/acme', 'https://discord.gg/acme'],
  Matrix: ['https://matrix.to/#/#acme:example.org'],
  Telegram: ['https://t.me/acme', 'https://telegram.me/acme'],
  WhatsApp: ['https://wa.me/491234', 'https://whatsapp.com/channel/acme'],
  Signal: ['https://signal.me/#p/+491234', 'https://signal.group/#acme'],
  Instagram: ['https://www.instagram.com/acme'],
  Facebook: ['https://facebook.com/acme', 'https://fb.com/acme'],
  TikTok: ['https://tiktok.com/acme'],
  Pinterest: ['https://pinterest.com/acme'],
  Reddit: ['https://reddit.com/r/acme'],
  'Stack Overflow': ['https://stackoverflow.com/users/1'],
  'Hacker News': ['https://news.ycombinator.com/user?id=acme'],
  'Product Hunt': ['https://producthunt.com/products/acme'],
  npm: ['https://www.npmjs.com/package/acme'],
  PyPI: ['https://pypi.org/project/acme'],
  Docker: ['https://hub.docker.com/r/acme/acme'],
  'Hugging Face': ['https://huggingface.co/acme'],
  Medium: ['https://medium.com/acme'],
  'dev.to': ['https://dev.to/acme'],
  Substack: ['https://acme.substack.com'],
  Patreon: ['https://patreon.com/acme'],
  'Open Collective': ['https://opencollective.com/acme'],
  'Ko-fi': ['https://ko-fi.com/acme'],
  Spotify: ['https://open.spotify.com/show/1'],
  'Apple Podcasts': ['https://podcasts.apple.com/podcast/1'],
  SoundCloud: ['https://soundcloud.com/acme'],
  Bandcamp: ['https://acme.bandcamp.com'],
  Dribbble: ['https://dribbble.com/acme'],
  Behance: ['https://behance.net/acme'],
  Figma: ['https://figma.com/acme'],
  Flickr: ['https://flickr.com/acme'],
  Pixelfed: ['https://pixelfed.social/acme'],
  Strava: ['https://strava.com/clubs/acme'],
  ORCID: ['https://orcid.org/0000-0001'],
  Xing: ['https://xing.com/acme'],
  VK: ['https://vk.com/acme'],
  LINE: ['https://line.me/acme'],
  'Sina Weibo': ['https://weibo.com/acme'],
  LinkedIn: ['https://www.linkedin.com/company/acme'],
  Slack: ['https://acme.slack.com'],
  'E-mail': ['mailto:team@acme.example'],
}

describe('a link to a service', () => {
  test.each(Object.entries(LINKS))('has the mark of %s', (title, links) => {
    for (const link of links) {
      const service = serviceOf(link)
      expect([link, service?.title]).toEqual([link, title])
      expect(service?.iconHtml).toMatch(/^<svg[^>]*aria-hidden="true".*<path d="m/is)
    }
  })

  test('has none when the service is unknown or only ends like a known one', () => {
    for (const link of [
      'https://acme.example',
      'https://notgithub.com/a',
      'https://x.com.acme.example',
      '/about',
    ])
      expect(serviceOf(link)).toBeNull()
  })
})
