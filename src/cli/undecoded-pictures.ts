import { count } from './format-numbers.ts'

const WHY = 'because the package sharp cannot be loaded'
const INSTALL = 'Install it for this system: npm install --include=optional.'

/** Of a service, whose pictures are still to come. */
export const NO_PICTURES_DECODED = `pictures cannot be decoded, ${WHY}. They are served as they are uploaded, without smaller ones, and none are made for link previews. ${INSTALL}`

/** @param pictures their number; no line for none. */
export function undecodedLines(pictures: number): readonly string[] {
  if (pictures === 0) return []
  return [
    `${count(pictures, 'picture')} cannot be decoded, ${WHY}: pages show the files as they are, without smaller ones. ${INSTALL}`,
  ]
}

/**
 * About pictures that were sent to a server.
 *
 * @param undecoded those that it cannot decode.
 * @param unfinished those whose smaller ones were not derived when pages were published.
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
