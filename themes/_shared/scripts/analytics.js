// Starts Google Analytics with the measurement id that this script's own tag carries.
{
  const { id } = document.currentScript.dataset
  window.dataLayer ??= []
  // Global, so that the owner's own scripts can report events.
  window.gtag = function gtag() {
    // biome-ignore lint/complexity/noArguments: the library tells its calls from other entries by this type.
    window.dataLayer.push(arguments)
  }
  gtag('js', new Date())
  gtag('config', id)
  const library = document.createElement('script')
  library.async = true
  library.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`
  document.head.append(library)
}
