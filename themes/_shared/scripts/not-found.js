// `404.html` is served at any depth by any server, so its links use the site's configured origin. On another
// origin this script searches for the site and redirects the links.
;(() => {
  const MOST_TRIED = 12
  document.addEventListener('DOMContentLoaded', async () => {
    const search = document.querySelector('.search-open')
    const { root: own, script } = search.dataset
    if (location.href.startsWith(own)) return
    // Without the site there is no search index.
    delete search.dataset.ready
    search.disabled = true
    const file = script.slice(own.length)
    for (const folder of folders()) {
      if (!(await liesAt(folder + file))) continue
      leadTo(folder)
      search.disabled = false
      search.dataset.ready = ''
      return
    }

    function leadTo(folder) {
      for (const element of document.querySelectorAll('[href], [src], [data-root]')) {
        for (const { name, value } of [...element.attributes]) {
          if (value.startsWith(own)) element.setAttribute(name, folder + value.slice(own.length))
        }
      }
    }
  })

  // Possible roots of the site: the folder of a project, then folders from the top down.
  function folders() {
    const { origin, pathname } = location
    const all = [...pathname.matchAll(/\//g)].map(({ index }) => pathname.slice(0, index + 1))
    const project = all.filter((folder) => /\/proj_[a-z2-9]{16}\/$/.test(folder))
    return [...new Set([...project, ...all])].slice(0, MOST_TRIED).map((folder) => origin + folder)
  }

  // Some servers answer every request with a page.
  async function liesAt(address) {
    try {
      const { ok, headers } = await fetch(address, { method: 'HEAD' })
      return ok && /javascript/.test(headers.get('content-type'))
    } catch {
      return false
    }
  }
})()
