// Reçoit les webhooks de Ntalo : NTALO_SECRET=whsec_… PORT=8000 node webhook-receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = Buffer.from(process.env.NTALO_SECRET.replace('whsec_', ''), 'base64')
createServer(async (request, response) => {
  const body = Buffer.concat(await Array.fromAsync(request)).toString()
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': given = '' } = request.headers
  const own = createHmac('sha256', secret).update(`${id}.${sentAt}.${body}`).digest()
  const signatures = given.split(' ').map((each) => Buffer.from(each.replace('v1,', ''), 'base64'))
  const isOurs = signatures.some((each) => each.length === own.length && timingSafeEqual(each, own))
  const isFresh = Math.abs(Date.now() / 1000 - Number(sentAt)) < 300
  response.writeHead(isOurs && isFresh ? 204 : 400).end()
  // Le même identifiant peut venir deux fois : votre traitement doit le supporter.
  if (isOurs && isFresh) console.log(id, JSON.parse(body).type)
}).listen(process.env.PORT)
