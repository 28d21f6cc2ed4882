const link = document.querySelector<HTMLAnchorElement>('[data-back]')

// Going back keeps the scroll position and the filters of the page left; a link would lose them.
if (link && history.length > 1) {
  link.addEventListener('click', (event) => {
    event.preventDefault()
    history.back()
  })
}
