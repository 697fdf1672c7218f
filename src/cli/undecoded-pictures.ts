import { count } from './format-numbers.ts'

const WHY = 'because the package sharp cannot be loaded'
const INSTALL = 'Install it for this system: npm install --include=optional.'

/** The warning of a service before it receives images. */
export const NO_PICTURES_DECODED = `pictures cannot be decoded, ${WHY}. They are served as they are uploaded, without smaller ones, and none are made for link previews. ${INSTALL}`

/** @param pictures the number of images; no line for none. */
export function undecodedLines(pictures: number): readonly string[] {
  if (pictures === 0) return []
  return [
    `${count(pictures, 'picture')} cannot be decoded, ${WHY}: pages show the files as they are, without smaller ones. ${INSTALL}`,
  ]
}

/**
 * Lines about images that were sent to a server.
 *
 * @param undecoded the number of images that it cannot decode.
 * @param unfinished the number of images without all smaller ones when pages were published.
 */
export function sentPictureLines({
  undecoded,
  unfinished,
}: {
  readonly undecoded: number
  readonly unfinished: number
}): readonly string[] {
  return [
    ...(undecoded === 0
      ? []
      : [
          `The server cannot decode ${count(undecoded, 'picture')}: pages show the files as they are, without smaller ones, until its operator has installed the package sharp.`,
        ]),
    ...(unfinished === 0
      ? []
      : [
          `Smaller ones of ${count(unfinished, 'picture')} are still being derived. The server adds them to the live pages when they are there.`,
        ]),
  ]
}
