import { expect, test } from 'vitest'
import { objectHeaders } from '../../src/domain/artifact.ts'

test.each([
  ['docs/index.html', 'text/html; charset=utf-8'],
  ['a/captions.vtt', 'text/vtt; charset=utf-8'],
  ['calendar.ics', 'text/calendar; charset=utf-8'],
  ['talk.m4a', 'audio/mp4'],
  ['map.geojson', 'application/geo+json; charset=utf-8'],
  ['app.webmanifest', 'application/manifest+json; charset=utf-8'],
  ['a.avif', 'image/avif'],
  ['a.wasm', 'application/wasm'],
  ['INTRO.MP4', 'video/mp4'],
  ['a.opus', 'audio/ogg'],
  ['book.epub', 'application/epub+zip'],
  ['a.tar.gz', 'application/gzip'],
  ['style.css.map', 'application/json; charset=utf-8'],
  ['track.gpx', 'application/gpx+xml; charset=utf-8'],
  ['places.kml', 'application/vnd.google-earth.kml+xml; charset=utf-8'],
  ['robots.txt', 'text/plain; charset=utf-8'],
  ['proj_1/blog/feed.xml', 'application/atom+xml; charset=utf-8'],
  ['CNAME', 'text/plain; charset=utf-8'],
  ['docs/LICENSE', 'text/plain; charset=utf-8'],
  ['_headers', 'text/plain; charset=utf-8'],
  ['.well-known/security.txt', 'text/plain; charset=utf-8'],
  ['.well-known/apple-app-site-association', 'application/json; charset=utf-8'],
  ['.nojekyll', 'application/octet-stream'],
  ['a.unknown', 'application/octet-stream'],
  ['a.constructor', 'application/octet-stream'],
  ['constructor', 'application/octet-stream'],
  ['html', 'application/octet-stream'],
  ['code.ts', 'application/octet-stream'],
  ['images/chair.usdz', 'model/vnd.usdz+zip'],
  ['images/plan.SVGZ', 'image/svg+xml'],
])('%s is served as %s', (key, type) => {
  expect(objectHeaders(key).contentType).toBe(type)
})

test('only a compressed drawing is stored with a content coding', () => {
  expect(objectHeaders('images/plan.SVGZ').contentEncoding).toBe('gzip')
  for (const key of ['images/plan.svg', 'a.gz', 'svgz', 'a.svgz.txt'])
    expect(objectHeaders(key)).not.toHaveProperty('contentEncoding')
})
