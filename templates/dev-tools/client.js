// Runs in every page that `quoin dev` serves, and in nothing that `quoin build` writes. When something
// changed it asks how this page stands now: it loads the page anew where it became another, exchanges
// style sheets in place, and lays over the page what is to be mended.
;(() => {
  const TOOLS = '/__quoin/'
  const { version } = document.currentScript.dataset
  const PLACE = `quoin-dev:${location.pathname}`
  const isFrame = window.top !== window

  putBack()
  let asking = false
  let again = false
  let overlay = null
  let lastState = null
  listen()

  function listen() {
    if (typeof SharedWorker === 'function') {
      const { port } = new SharedWorker(`${TOOLS}events.js`)
      port.onmessage = ask
      addEventListener('pagehide', () => port.postMessage('gone'))
      // A page that comes back from the browser's memory has been forgotten.
      addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
    } else {
      new EventSource(`${TOOLS}events`).onmessage = ask
    }
  }

  /** One question at a time; what changed meanwhile is asked for after it. */
  async function ask() {
    again = true
    if (asking) return
    asking = true
    try {
      while (again) {
        again = false
        const answer = await fetch(`${TOOLS}state?path=${encodeURIComponent(here())}`)
        if (answer.ok) follow(await answer.json())
      }
    } catch {
      // The server went away; the stream of events says when it is back.
    } finally {
      asking = false
    }
  }

  /** As the server reads a path. */
  function here() {
    try {
      return decodeURIComponent(location.pathname)
    } catch {
      return location.pathname
    }
  }

  function follow(state) {
    if (state.version !== version) return loadAnew()
    exchangeStyles(state.styles)
    const told = JSON.stringify([state.faults, state.warnings, state.isDraft])
    if (told === lastState) return
    lastState = told
    show(state)
  }

  function loadAnew() {
    try {
      sessionStorage.setItem(PLACE, JSON.stringify([scrollX, scrollY]))
    } catch {
      // Without storage the browser does what it can.
    }
    location.reload()
  }

  function putBack() {
    let place = null
    try {
      place = JSON.parse(sessionStorage.getItem(PLACE))
      sessionStorage.removeItem(PLACE)
    } catch {
      return
    }
    if (place === null) return
    const [left, top] = place
    const go = () => scrollTo({ left, top, behavior: 'instant' })
    go()
    // Pictures may have moved everything since.
    addEventListener('load', go, { once: true })
  }

  /** The old sheet stays until the new one is there, so that the page is never without. */
  function exchangeStyles(styles) {
    const sheets = [...document.querySelectorAll('link[rel="stylesheet"]:not([data-quoin-old])')]
    for (const [index, href] of styles.entries()) {
      const old = sheets[index]
      if (old === undefined || old.getAttribute('href') === href) continue
      const fresh = old.cloneNode()
      fresh.href = href
      old.dataset.quoinOld = ''
      fresh.onload = () => old.remove()
      fresh.onerror = () => old.remove()
      old.after(fresh)
    }
  }

  function show(state) {
    if (isFrame && state.faults.length === 0) return overlay?.remove()
    if (overlay === null) overlay = makeOverlay()
    overlay.show(state)
  }

  function makeOverlay() {
    const host = document.createElement('quoin-dev')
    const root = host.attachShadow({ mode: 'open' })
    const sheet = element('link', { rel: 'stylesheet', href: `${TOOLS}overlay.css` })
    const dialog = element('dialog', { 'aria-labelledby': 'title' })
    const pill = element('button', { type: 'button', class: 'pill', hidden: '' })
    root.append(sheet, pill, dialog)
    let closed = ''
    pill.onclick = () => dialog.showModal()
    dialog.onclose = () => (closed = dialog.dataset.told)
    // What was laid aside stays aside until something else is wrong.
    const open = (told) => {
      dialog.dataset.told = told
      if (told !== closed && !dialog.open)
        whenStyled(sheet, () => dialog.isConnected && !dialog.open && dialog.showModal())
    }

    return {
      show({ faults, warnings, isDraft }) {
        if (!host.isConnected) document.documentElement.append(host)
        fill(dialog, faults, warnings)
        const words = [
          ...(isDraft ? ['Draft'] : []),
          ...(faults.length > 0 ? [counted(faults.length, 'error')] : []),
          ...(warnings.length > 0 ? [counted(warnings.length, 'warning')] : []),
        ]
        pill.textContent = words.join(' · ')
        pill.hidden = words.length === 0 || isFrame
        pill.disabled = faults.length + warnings.length === 0
        pill.className = faults.length > 0 ? 'pill faulty' : 'pill'
        if (faults.length > 0) open(JSON.stringify(faults))
        else {
          closed = ''
          dialog.close()
        }
      },
      remove: () => host.remove(),
    }
  }

  function whenStyled(sheet, act) {
    if (sheet.sheet !== null) act()
    else sheet.addEventListener('load', act, { once: true })
  }

  function fill(dialog, faults, warnings) {
    const close = element(
      'button',
      { type: 'button', class: 'close', 'aria-label': 'Close', autofocus: '' },
      '×',
    )
    close.onclick = () => dialog.close()
    const title =
      faults.length > 0 ? `${counted(faults.length, 'error')} to mend` : counted(warnings.length, 'warning')
    const head = element('div', { class: 'head' }, element('h2', { id: 'title' }, title), close)
    const list = element('div', {
      class: 'list',
      tabindex: '0',
      role: 'group',
      'aria-label': 'What is wrong',
    })
    list.append(...faults.map(faultElement), ...warnings.map(warningElement))
    const note =
      faults.length > 0
        ? 'The page beneath is as it was last. This goes away when the file is mended.'
        : 'The page is built nevertheless; quoin build --strict would fail.'
    dialog.replaceChildren(head, list, element('div', { class: 'foot' }, note))
  }

  function faultElement({ file, line, column, message, frame, page }) {
    const place = [file, line, column].filter((part) => part !== null).join(':')
    const article = element(
      'article',
      {},
      element('p', { class: 'place' }, place),
      element('p', { class: 'message' }, message),
    )
    if (frame.length > 0)
      article.append(
        element(
          'pre',
          { tabindex: '0', 'aria-label': `Lines around ${place}` },
          ...frameLines(frame, column),
        ),
      )
    if (page !== null)
      article.append(
        element(
          'p',
          { class: 'page' },
          `Page ${page.path}`,
          page.source === file ? '' : `, from ${page.source}`,
        ),
      )
    return article
  }

  function frameLines(frame, column) {
    return frame.flatMap(({ number, text, isFaulty }) => {
      const line = element(
        'span',
        { class: isFaulty ? 'line faulty' : 'line' },
        element('span', { class: 'number' }, String(number)),
        `${text}\n`,
      )
      if (!isFaulty || column === null || column > text.length + 1) return [line]
      const mark = element(
        'span',
        { class: 'line mark', 'aria-hidden': 'true' },
        element('span', { class: 'number' }, ''),
        `${text.slice(0, column - 1).replace(/[^\t]/g, ' ')}^\n`,
      )
      return [line, mark]
    })
  }

  function warningElement({ file, line, message }) {
    const place = line === null ? file : `${file}:${line}`
    return element(
      'article',
      {},
      element('p', { class: 'place' }, place),
      element('p', { class: 'message' }, message),
    )
  }

  function counted(number, word) {
    return `${number} ${word}${number === 1 ? '' : 's'}`
  }

  function element(name, attributes, ...children) {
    const made = document.createElement(name)
    for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
    made.append(...children)
    return made
  }
})()
