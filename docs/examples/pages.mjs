// Tous les marchés, page par page : rien n’est manqué ni doublé pendant que d’autres écrivent.
const headers = { Authorization: `Bearer ${process.env.NTALO_KEY}` }
let cursor = 'start'
let hasMore = true
while (hasMore) {
  const answer = await fetch(`https://ntalo.example/api/markets?limit=1000&cursor=${cursor}`, { headers })
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.message)
  for (const market of body.data) console.log(market.name)
  cursor = body.cursor
  hasMore = body.hasMore
}
