const link = document.querySelector<HTMLAnchorElement>('[data-back]')

// Going back restores the scroll position and the filters of the previous page; a link would lose them.
if (link && history.length > 1) {
  link.addEventListener('click', (event) => {
    event.preventDefault()
    history.back()
  })
}
