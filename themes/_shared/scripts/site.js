// Enhances a page that is complete without it. Fails silently where the browser refuses something: previews
// run in a sandbox without storage, fetch and clipboard.
;(() => {
  const root = document.documentElement
  // Style sheets may prepare for what the script builds, and for what the browser has yet to read. The browser sends this
  // event when it ends reading or is stopped, whatever fails before.
  const isLoading = document.readyState === 'loading'
  root.dataset.script = isLoading ? 'header' : 'ready'
  if (isLoading) document.addEventListener('readystatechange', enhance, { once: true })
  keepScheme()
  const makeTabs = tabMaker()
  const arrivals = new MutationObserver(() => {
    if (root.dataset.script === 'header' && document.querySelector('.site-header + *'))
      root.dataset.script = 'reading'
    arrange()
  })
  arrivals.observe(root, { childList: true, subtree: true })
  if (!isLoading) enhance()

  function enhance() {
    root.dataset.script = 'ready'
    closeTogglesOnLeave()
    addCopyButtons()
    enablePageCopy()
    arrivals.disconnect()
    arrange()
    followReadingInToc()
    zoomPictures()
    openEmbeds()
    previewLinks()
    void fillDocsNav()
    offerSearch()
  }

  // Runs before the first paint of what has arrived, so that nothing moves.
  function arrange() {
    makeTabs()
    const line = document.querySelector('[data-until]')
    if (new Date(line?.dataset.until) < Date.now()) line.remove()
  }

  // Applies the reader's choice of light, dark or what the system prefers before the first paint.
  function keepScheme() {
    if (document.querySelector('meta[name="color-scheme"]')?.content !== 'light dark') return
    const system = matchMedia('(prefers-color-scheme: dark)')
    const SYSTEM = 'system'
    const stored = hasStorage()
    let kept = (stored ? null : inAddress()) ?? SYSTEM
    show()
    if (!stored) carryInLinks()
    system.addEventListener('change', show)
    document.addEventListener('readystatechange', show)
    // A page from the back-forward cache may show an outdated choice.
    addEventListener('pageshow', show)
    document.addEventListener('click', ({ target }) => {
      if (target.closest('.scheme')) chooseNext()
    })

    // The other of what the system prefers comes first, so that a first click shows something.
    function chooseNext() {
      const order = system.matches ? [SYSTEM, 'light', 'dark'] : [SYSTEM, 'dark', 'light']
      kept = order[(order.indexOf(kept) + 1) % order.length]
      keep('localStorage', 'quoin-scheme', kept)
      if (!stored) carryInAddress()
      show()
    }

    function show() {
      kept = keptAs('localStorage', 'quoin-scheme') ?? kept
      const dark = kept === SYSTEM ? system.matches : kept === 'dark'
      root.dataset.scheme = dark ? 'dark' : 'light'
      root.dataset.choice = kept
      const button = document.querySelector('.scheme')
      if (button) button.ariaLabel = button.title = button.dataset[kept]
      for (const source of document.querySelectorAll('source[data-dark]')) {
        source.media = kept === SYSTEM ? system.media : dark ? 'all' : 'not all'
      }
    }

    // In a sandbox, as under /public, the choice is a part of the address: a reload has it, and links within the site
    // take it along.
    function inAddress() {
      return ['light', 'dark'].find((scheme) => new URLSearchParams(location.search).get('scheme') === scheme)
    }

    function withScheme(href) {
      const url = new URL(href)
      if (kept === SYSTEM) url.searchParams.delete('scheme')
      else url.searchParams.set('scheme', kept)
      return url.href
    }

    function carryInAddress() {
      try {
        history.replaceState(history.state, '', withScheme(location.href))
      } catch {
        // Some browsers refuse it in a sandbox. Links carry the choice nevertheless.
      }
    }

    function carryInLinks() {
      for (const event of ['click', 'auxclick', 'contextmenu'])
        document.addEventListener(event, ({ target }) => {
          const link = target.closest('a[href]')
          if (!link || link.host !== location.host || link.getAttribute('href')[0] === '#') return
          const href = withScheme(link.href)
          if (href !== link.href) link.href = href
        })
    }
  }

  function closeTogglesOnLeave() {
    const close = (toggle) => toggle.removeAttribute('open')
    const opened = () => [...document.querySelectorAll(':is(.toggle, .menu)[open]')]
    document.addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape') return
      for (const toggle of opened()) {
        if (toggle.parentElement.contains(document.activeElement)) toggle.firstElementChild.focus()
        close(toggle)
      }
    })
    document.addEventListener('click', ({ target }) => {
      for (const toggle of opened()) {
        if (!toggle.parentElement.contains(target) || target.closest('.site-nav a, .toc a, .docs-nav a'))
          close(toggle)
      }
    })
  }

  // Loads the dialog and the index on first use.
  function offerSearch() {
    const button = document.querySelector('.search-open')
    if (!button) return
    button.lastElementChild.textContent = /Mac|iP/.test(navigator.platform) ? '\u2318K' : 'Ctrl K'
    button.dataset.ready = ''
    button.addEventListener('click', load)
    document.addEventListener('keydown', (event) => {
      const { key, ctrlKey, metaKey, altKey, target, isComposing } = event
      const plain = !(ctrlKey || metaKey || altKey)
      // Inside a frame the focus may stay in a field of the closed dialog.
      const shut = target.closest?.('dialog:not([open])')
      const typing = !shut && target.closest?.('input, textarea, select, dialog, [contenteditable]')
      const isSlash = key === '/' && plain && !typing && !slashIsOff()
      const isCommand = key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey
      if (isComposing || !(isSlash || isCommand)) return
      event.preventDefault()
      button.click()
    })

    function load() {
      button.removeEventListener('click', load)
      const script = Object.assign(document.createElement('script'), { src: button.dataset.script })
      script.addEventListener('error', () => button.addEventListener('click', load))
      document.head.append(script)
    }

    // Readers can switch the shortcut off in the dialog.
    function slashIsOff() {
      return (keptAs('localStorage', 'quoin-search-key') ?? button.dataset.slash) === 'off'
    }
  }

  function addCopyButtons() {
    for (const block of document.querySelectorAll('.code')) {
      const code = block.querySelector('code')
      if (!code) continue
      const button = Object.assign(document.createElement('button'), {
        type: 'button',
        className: 'copy',
        textContent: document.body.dataset.copy,
      })
      copyOnClick(
        button,
        () => code.textContent,
        () => getSelection().selectAllChildren(code),
      )
      block.append(button)
    }
  }

  // The layout reserves the button's space, so that enabling it moves nothing.
  function enablePageCopy() {
    const button = document.querySelector('.page-copy')
    if (!button) return
    const { href } = document.querySelector('.page-tools .menu a')
    copyOnClick(
      button,
      () => textAt(href),
      () => location.assign(href),
    )
    button.disabled = false
  }

  // Shows a picture as large as the screen, or larger where that is small. Otherwise the link leads to its file.
  function zoomPictures() {
    document.addEventListener('click', (event) => {
      const link = event.target.closest('.zoom')
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      const dialog = Object.assign(document.createElement('dialog'), { className: 'zoomed' })
      const close = Object.assign(document.createElement('button'), { type: 'button', textContent: '\u00d7' })
      close.setAttribute('aria-label', link.dataset.close)
      const picture = link.firstElementChild.cloneNode(true)
      for (const source of picture.querySelectorAll('source')) source.sizes = 'max(100vw, 48rem)'
      dialog.setAttribute('aria-label', link.ariaLabel ?? link.querySelector('img').alt)
      dialog.append(close, picture)
      dialog.addEventListener('click', () => dialog.close())
      dialog.addEventListener('close', () => {
        dialog.remove()
        link.focus()
      })
      document.body.append(dialog)
      dialog.showModal()
    })
  }

  // Loads a page of another site in its place. In a sandbox it would not work, so the link leads there.
  function openEmbeds() {
    if (origin === 'null') return
    document.addEventListener('click', (event) => {
      const link = event.target.closest('.embed')
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      const box = Object.assign(document.createElement('div'), { className: 'embed' })
      const frame = Object.assign(document.createElement('iframe'), {
        src: link.dataset.frame,
        title: link.textContent,
        allow: 'autoplay; encrypted-media; fullscreen; picture-in-picture',
        referrerPolicy: 'strict-origin-when-cross-origin',
      })
      box.append(frame)
      link.replaceWith(box)
      frame.focus()
    })
  }

  // Shows the title and the description of a docs page while the pointer or the keyboard rests on a link to it.
  function previewLinks() {
    if (origin === 'null' || !matchMedia('(hover: hover)').matches || navigator.connection?.saveData) return
    const known = new Map()
    let shown = null
    let timer = 0
    const later = (change, after) => {
      clearTimeout(timer)
      timer = setTimeout(change, after)
    }
    for (const name of ['pointerover', 'focusin']) document.addEventListener(name, arrive)
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide())
    document.addEventListener('click', hide)

    function arrive({ target }) {
      if (target.closest('.preview') || (shown && target.closest('a') === shown.link))
        return clearTimeout(timer)
      const link = target.closest('.docs-body .prose a:not(.anchor)')
      const isPage =
        link?.origin === origin && link.pathname.endsWith('/') && link.pathname !== location.pathname
      if (isPage) later(() => void show(link), 400)
      else later(hide, 250)
    }

    async function show(link) {
      hide()
      const { pathname } = link
      if (!known.has(pathname)) known.set(pathname, read(pathname))
      const texts = await known.get(pathname)
      if (!texts.length || shown || !link.matches(':hover, :focus')) return
      const box = Object.assign(document.createElement('div'), { className: 'preview', id: 'preview' })
      box.setAttribute('role', 'tooltip')
      box.append(...texts.map((textContent) => Object.assign(document.createElement('p'), { textContent })))
      link.setAttribute('aria-describedby', box.id)
      document.body.append(box)
      const { left, bottom } = link.getBoundingClientRect()
      box.style.left = `${Math.max(8, Math.min(left, root.clientWidth - box.offsetWidth - 8))}px`
      box.style.top = `${bottom + scrollY + 4}px`
      shown = { box, link }
    }

    function hide() {
      clearTimeout(timer)
      shown?.box.remove()
      shown?.link.removeAttribute('aria-describedby')
      shown = null
    }

    async function read(pathname) {
      try {
        const page = new DOMParser().parseFromString(await textAt(pathname), 'text/html')
        const title = page.querySelector('h1')?.textContent
        const description = page.querySelector('meta[name="description"]')?.content
        return [title, description].filter(Boolean)
      } catch {
        return []
      }
    }
  }

  async function textAt(url) {
    const response = await fetch(url)
    if (!response.ok) throw new Error(url)
    return response.text()
  }

  function copyOnClick(button, read, otherwise) {
    const word = button.textContent
    // Announces the changed text.
    button.setAttribute('aria-live', 'polite')
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(await read())
        button.textContent = document.body.dataset.copied
        setTimeout(() => {
          button.textContent = word
        }, 2000)
      } catch {
        otherwise()
      }
    })
  }

  // `hidden="until-found"` keeps inactive panels reachable for the browser's search and for links. Choosing a
  // tab also chooses the tabs of the same name on this and later pages. A group becomes tabs as soon as it is parsed,
  // before it is painted.
  function tabMaker() {
    const KEPT = 'quoin-tabs'
    const MOST_KEPT = 20
    const choosers = []
    let kept = (keptAs('localStorage', KEPT) ?? '').split('\n')
    return () => {
      for (const group of document.querySelectorAll('.tabs:not(:has(> .tab-list))')) {
        const panels = [...group.querySelectorAll(':scope > .tab')]
        const isParsed = group.nextSibling || document.readyState !== 'loading'
        if (isParsed && panels.length > 1) makeBar(panels)
      }
    }

    function makeBar(panels) {
      const list = Object.assign(document.createElement('div'), { className: 'tab-list' })
      list.setAttribute('role', 'tablist')
      const tabs = panels.map((panel, index) => {
        const id = `tab-${choosers.length}-${index}`
        const label = panel.firstElementChild.textContent
        const tab = Object.assign(document.createElement('button'), {
          type: 'button',
          id,
          textContent: label,
        })
        const icon = panel.firstElementChild.querySelector('.icon')
        if (icon) tab.prepend(icon.cloneNode(true))
        tab.setAttribute('role', 'tab')
        Object.assign(panel, { id: `${id}-panel`, tabIndex: 0 })
        panel.setAttribute('role', 'tabpanel')
        panel.setAttribute('aria-labelledby', tab.id)
        tab.setAttribute('aria-controls', panel.id)
        tab.addEventListener('click', () => chooseAll(index))
        panel.addEventListener('beforematch', () => choose(index))
        return tab
      })
      list.addEventListener('keydown', (event) => {
        const at = tabs.indexOf(document.activeElement)
        const forward = getComputedStyle(list).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
        const steps = { ArrowLeft: -1, ArrowRight: -1, [forward]: 1, Home: -at, End: -at - 1 }
        const step = steps[event.key]
        if (step === undefined || at < 0) return
        event.preventDefault()
        const next = (at + step + tabs.length) % tabs.length
        chooseAll(next)
        tabs[next].focus()
      })
      list.append(...tabs)
      panels[0].before(list)
      const named = (label) => tabs.findIndex(({ textContent }) => textContent === label)
      choosers.push((label) => named(label) >= 0 && choose(named(label)))
      choose(Math.max(0, named(kept.find((label) => named(label) >= 0))))
      const open = () => {
        const target = targetOfHash()
        const index = panels.findIndex((panel) => panel.contains(target))
        if (!target || index < 0 || !panels[index].hidden) return
        choose(index)
        target.scrollIntoView()
      }
      addEventListener('hashchange', open)
      open()

      function chooseAll(chosen) {
        const label = tabs[chosen].textContent
        const seat = list.getBoundingClientRect().top
        for (const chooseNamed of choosers) chooseNamed(label)
        choose(chosen)
        // Content above may have changed its height.
        scrollBy({ top: list.getBoundingClientRect().top - seat, behavior: 'instant' })
        kept = [label, ...kept.filter((other) => other !== label)].slice(0, MOST_KEPT)
        keep('localStorage', KEPT, kept.join('\n'))
      }

      function choose(chosen) {
        tabs.forEach((tab, index) => {
          tab.setAttribute('aria-selected', String(index === chosen))
          tab.tabIndex = index === chosen ? 0 : -1
          if (index === chosen) panels[index].removeAttribute('hidden')
          else panels[index].setAttribute('hidden', 'until-found')
        })
      }
    }
  }

  function targetOfHash() {
    try {
      return document.getElementById(decodeURIComponent(location.hash.slice(1)))
    } catch {
      return null
    }
  }

  function followReadingInToc() {
    const links = [...document.querySelectorAll('.toc a')]
    const headings = links.map((link) => document.getElementById(link.getAttribute('href').slice(1)))
    if (!links.length || headings.includes(null)) return
    const summary = document.querySelector('.toc > .toggle > summary')
    const word = summary.textContent
    const mark = () => {
      const passed = headings.findLastIndex(
        (heading) => heading.getClientRects().length && heading.getBoundingClientRect().top < 160,
      )
      links.forEach((link, index) => {
        if (index === passed) link.setAttribute('aria-current', 'location')
        else link.removeAttribute('aria-current')
      })
      // On small screens the list is closed and its button shows the current heading.
      summary.textContent = links[passed]?.textContent ?? word
      // Scrolls a long list to the current heading.
      const list = links[0].closest('.toc-list')
      if (passed >= 0) list.scrollTop = links[passed].offsetTop - list.clientHeight / 2
    }
    addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true })
    summary.parentElement.addEventListener('toggle', mark)
    mark()
  }

  async function fillDocsNav() {
    const KEPT = 'quoin-nav'
    const nav = document.querySelector('.docs-nav')
    if (!nav) return
    const current = nav.querySelector('[aria-current]')
    const scroller = nav.closest('.sidebar')
    const seat = () => current.getBoundingClientRect().top
    // On small screens the list itself scrolls, once it is open.
    const showCurrent = (box) => {
      if (current) box.scrollTop += seat() - box.getBoundingClientRect().top - box.clientHeight / 3
    }
    const file = new URL(nav.dataset.nav, document.baseURI).href
    const state = JSON.parse(keptAs('sessionStorage', KEPT))
    const kept = state?.file === file ? state : { open: [], items: [] }
    if (kept.open.length) syncNavList(nav.querySelector('ul'), kept.items)
    for (const group of nav.querySelectorAll('details')) {
      const key = keyOf(group.parentElement)
      if (kept.open.includes(key)) group.open = true
      else if (kept.shut?.includes(key) && !group.contains(current)) group.open = false
    }
    if (current && kept.clicked?.href === current.href) scroller.scrollTop += seat() - kept.clicked.top
    else showCurrent(scroller)
    scroller.querySelector('.toggle').addEventListener('toggle', () => showCurrent(nav))

    let clicked = null
    let items = kept.items
    nav.addEventListener('click', ({ target }) => {
      const link = target.closest('a')
      if (link) clicked = { href: link.href, top: link.getBoundingClientRect().top }
    })
    addEventListener('pagehide', keepState)
    try {
      ;({ items } = JSON.parse(await textAt(nav.dataset.nav)))
    } catch {
      return
    }
    const before = current ? seat() : 0
    syncNavList(nav.querySelector('ul'), items)
    // Only one of the two scrolls, as above.
    for (const box of [scroller, nav]) if (current) box.scrollTop += seat() - before

    // Keeps opened groups open on the next page and the clicked line in place.
    function keepState() {
      const groups = (which) =>
        [...nav.querySelectorAll(which)]
          .map((group) => group.parentElement)
          .filter((entry) => !entry.contains(current))
          .map(keyOf)
      const [open, shut] = [groups('details[open]'), groups('details:not([open])')]
      keep(
        'sessionStorage',
        KEPT,
        JSON.stringify({ file, open, shut, items: open.length ? items : [], clicked }),
      )
    }

    function syncNavList(list, nodes) {
      const old = new Map([...list.children].map((entry) => [keyOf(entry), entry]))
      nodes.forEach((node, index) => {
        const key = hrefOf(node) ?? node.title
        const entry = old.get(key) ?? document.createElement('li')
        old.delete(key)
        syncNavEntry(entry, node)
        if (list.children[index] !== entry) list.insertBefore(entry, list.children[index] ?? null)
      })
      // Removes outdated entries, except the line of the current page.
      for (const entry of old.values()) if (!entry.contains(current)) entry.remove()
    }

    function syncNavEntry(entry, node) {
      const href = hrefOf(node)
      let group = entry.querySelector(':scope > details')
      if (node.children.length && !group) group = createGroup(entry, node, href)
      if (!node.children.length && group && !group.contains(current)) group.remove()
      const label = ensureLabel(entry, href)
      if (label.textContent !== node.title + (node.badge ?? '')) {
        label.replaceChildren(
          text('span', '', node.title),
          ...(node.badge ? [text('span', 'badge', node.badge)] : []),
        )
      }
      if (node.children.length) syncNavList(group.querySelector('ul'), node.children)
    }

    function ensureLabel(entry, href) {
      if (href === null) {
        const found = entry.querySelector(':scope > .nav-text, :scope > details > .nav-text')
        if (found) return found
        const label = text('span', 'nav-text', '')
        entry.prepend(label)
        return label
      }
      const found = entry.querySelector(':scope > a')
      if (found) return found
      const link = Object.assign(document.createElement('a'), { href })
      entry.prepend(link)
      return link
    }

    function createGroup(entry, node, href) {
      const group = document.createElement('details')
      const summary = text('summary', href === null ? 'nav-text' : 'nav-more', '')
      if (href !== null)
        summary.setAttribute(
          'aria-label',
          nav.dataset.under.replace('{title}', () => node.title),
        )
      group.append(summary, document.createElement('ul'))
      entry.append(group)
      return group
    }

    function keyOf(entry) {
      const link = entry.querySelector(':scope > a')
      return link ? link.href : entry.querySelector('.nav-text span')?.textContent
    }

    function hrefOf({ path }) {
      if (path === null) return null
      const base = new URL(nav.dataset.root, document.baseURI)
      return new URL(path === '/' ? '.' : `${path.slice(1)}/`, base).href
    }

    function text(tag, className, content) {
      const element = Object.assign(document.createElement(tag), { textContent: content })
      if (className) element.className = className
      return element
    }
  }

  // Sandboxes have no storage, and readers may refuse it. A choice then lasts for this page only.
  function keptAs(storage, name) {
    try {
      return window[storage].getItem(name)
    } catch {
      return null
    }
  }

  function hasStorage() {
    try {
      return Boolean(localStorage)
    } catch {
      return false
    }
  }

  function keep(storage, name, text) {
    try {
      window[storage].setItem(name, text)
    } catch {
      // As above.
    }
  }
})()
