/**
 * Finds the address at which the dashboard shows a picture of the library. Pictures of other sites are not loaded: their
 * hosts would see who writes here.
 *
 * @param {string | undefined} source of the search in the library.
 */
export function pictureFinder(source) {
  const found = new Map()
  return (address) => {
    const [path = ''] = address.split(/[?#]/)
    if (source === undefined || !path.startsWith('/media/')) return Promise.resolve(null)
    const known = found.get(path) ?? lookUp(source, path)
    found.set(path, known)
    return known
  }
}

async function lookUp(source, path) {
  const name = decoded(path.slice('/media/'.length))
  try {
    const answer = await fetch(`${source}?${new URLSearchParams({ q: name })}`)
    const pictures = answer.ok ? await answer.json() : []
    return pictures.find((one) => decoded(one.path) === `/media/${name}`)?.large ?? null
  } catch {
    return null
  }
}

/** The path as it is where it is not encoded well. */
function decoded(path) {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
