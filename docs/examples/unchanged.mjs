// La même demande deux fois : la seconde réponse est 304, sans corps, et ne compte pas.
const headers = { Authorization: `Bearer ${process.env.NTALO_KEY}` }
const address = 'https://ntalo.example/api/markets?limit=1000'
const first = await fetch(address, { headers })
const etag = first.headers.get('etag')
const second = await fetch(address, { headers: { ...headers, 'If-None-Match': etag } })
console.log(second.status)
