// Tous les marchés, page par page.
const headers = { Authorization: `Bearer ${process.env.NTALO_KEY}` }
let page = 1
let pages = 1
while (page <= pages) {
  const answer = await fetch(`https://ntalo.example/api/markets?limit=1000&page=${page}`, { headers })
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.message)
  for (const market of body.data) console.log(market.name)
  pages = body.pagination.pages
  page += 1
}
