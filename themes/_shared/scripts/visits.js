// Reports to the site itself that this page is read, and searches without a result. It says nothing about the reader.
{
  const top = new URL(document.currentScript.dataset.root, document.baseURI)
  const send = (report) => navigator.sendBeacon(new URL('_visits', top), JSON.stringify(report))
  const read = () => {
    const at = location.pathname
    if (at.startsWith(top.pathname)) send({ path: at.slice(top.pathname.length - 1) })
  }
  // A page that a browser draws in advance may never be shown.
  if (document.prerendering) document.addEventListener('prerenderingchange', read, { once: true })
  else read()
  // The reader may still be typing.
  let timer
  document.addEventListener('quoin-search', ({ detail: { query, total } }) => {
    clearTimeout(timer)
    if (query && total === 0) timer = setTimeout(send, 2000, { search: query.slice(0, 200) })
  })
}
