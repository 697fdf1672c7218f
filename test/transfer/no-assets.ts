/** For exports of projects without pictures and files. */
export const NO_ASSETS = {
  content: () => Promise.reject(new Error('The export has no files.')),
  onFile: () => {},
}
