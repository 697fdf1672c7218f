import { parseUrl } from './parse-url.ts'

/** A player or a page of another site, which a page shows in a frame after a click. */
export interface Embed {
  /** The address of the page with the video, without the frame. */
  readonly page: string
  /** The address of the frame. */
  readonly frame: string
}

const YOUTUBE = /^(?:(?:www|m|music)\.)?(?:youtube\.com|youtube-nocookie\.com|youtu\.be)$/
const YOUTUBE_ID = /^[\w-]{11}$/
const VIMEO_ID = /^\d{1,12}$/

/** Returns the video of an address of YouTube or Vimeo; null for other addresses. */
export function videoEmbed(address: string): Embed | null {
  // Most addresses are paths.
  const url = /^\s*https?:/i.test(address) ? parseUrl(address) : null
  if (url === null) return null
  const host = url.hostname.toLowerCase()
  if (YOUTUBE.test(host)) return youtubeEmbed(youtubeId(host, url), url.searchParams.get('t'))
  if (!/^(?:www\.|player\.)?vimeo\.com$/.test(host)) return null
  const [id = '', hash = ''] = url.pathname.split('/').filter((part) => part !== '' && part !== 'video')
  return vimeoEmbed(id, hash || (url.searchParams.get('h') ?? ''))
}

/**
 * A video of YouTube, from its host that sets no cookies before it plays.
 *
 * @param start seconds, `90` or `90s`.
 */
export function youtubeEmbed(id: string, start: string | null = null): Embed | null {
  if (!YOUTUBE_ID.test(id)) return null
  const [, seconds = null] = /^(\d{1,6})s?$/.exec(start ?? '') ?? []
  return {
    page: `https://www.youtube.com/watch?v=${id}${seconds === null ? '' : `&t=${seconds}s`}`,
    frame: `https://www.youtube-nocookie.com/embed/${id}?autoplay=1${seconds === null ? '' : `&start=${seconds}`}`,
  }
}

/** @param hash of an unlisted video, which only its address shows; empty for others. */
export function vimeoEmbed(id: string, hash = ''): Embed | null {
  if (!VIMEO_ID.test(id) || !/^[\da-f]{0,20}$/.test(hash)) return null
  return {
    page: `https://vimeo.com/${id}${hash === '' ? '' : `/${hash}`}`,
    frame: `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1${hash === '' ? '' : `&h=${hash}`}`,
  }
}

/** Any page that its site allows in frames; null for an address that is not https. */
export function pageEmbed(address: string): Embed | null {
  const url = parseUrl(address)
  return url?.protocol === 'https:' && url.username === '' ? { page: url.href, frame: url.href } : null
}

function youtubeId(host: string, { pathname, searchParams }: URL): string {
  const [first = '', second = ''] = pathname.split('/').filter((part) => part !== '')
  if (host === 'youtu.be') return first
  return first === 'watch'
    ? (searchParams.get('v') ?? '')
    : ['embed', 'shorts', 'live'].includes(first)
      ? second
      : ''
}
