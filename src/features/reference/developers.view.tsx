import { ProseContents, ProsePart } from '#features/landing/prose.view.tsx'
import { CodeBlock, InlineCode, Snippets, WithCode } from '#features/reference/code.view.tsx'
import { DevelopersPage, type DevelopersProps } from '#features/reference/developers-page.view.tsx'
import { listedRefusals, refusalMeanings } from '#features/reference/meanings.rules.ts'
import type { Snippet } from '#features/reference/snippets.rules.ts'
import { latestVersion } from '#shared/api-versions.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

type GuideProps = DevelopersProps & {
  origin: string
  first: readonly Snippet[]
  /** Key of the demonstration, for readers without one; null where there is none. */
  demonstrated: string | null
  /** Programs of docs/examples by file name. */
  examples: Readonly<Record<string, string>>
}

export function head(): DocumentHead {
  return {
    title: 'API pour développeurs · Ntalo',
    description:
      'Lire les prix des marchés de la RD Congo depuis un programme\u00a0: première requête, clés, erreurs, pages, quotas et référence.',
    canonicalPath: '/developpeurs',
    enhancement: 'public-site',
  }
}

const contents = [
  ['premiere', 'Première requête'],
  ['cles', 'Clés'],
  ['erreurs', 'Erreurs'],
  ['pages', 'Pages'],
  ['limites', 'Limites et quotas'],
  ['changements', 'Suivre les changements'],
  ['inchange', 'Réponses inchangées'],
  ['navigateur', 'Depuis un navigateur'],
  ['versions', 'Versions'],
  ['webhooks', 'Webhooks'],
  ['series', 'Séries'],
  ['editions', 'Éditions'],
  ['alertes', 'Alertes'],
  ['citer', 'Citer les données'],
  ['outils', 'Clients générés'],
] as const

/** The guide that developers read before the reference. */
export function DevelopersView({ origin, first, demonstrated, examples, ...others }: GuideProps) {
  return (
    <DevelopersPage
      {...others}
      path="/developpeurs"
      title="API pour développeurs"
      lead="Les mêmes prix, pour vos programmes et vos tableurs. En JSON, en CSV ou en classeur, par HTTPS."
    >
      <ProseContents parts={contents} />
      <FirstSteps origin={origin} first={first} demonstrated={demonstrated} />
      <Keys origin={origin} />
      <Errors />
      <Reading examples={examples} />
      <Receiving examples={examples} />
      <Contents origin={origin} />
      <ProsePart id="citer" title="Citer les données">
        <p>
          Donnez le chiffre avec sa date de lecture. Pour un indice, ajoutez sa marge et l’édition de la
          méthode.
        </p>
        <p className="rounded-md border border-line bg-surface p-4 text-sm wrap-anywhere">
          {`Ntalo, Prix des marchés de la République démocratique du Congo, ${origin}/api/prices, consulté le 26\u00a0novembre 2026.`}
        </p>
        <p>
          La définition de chaque chiffre est à la page <TextLink href="/methode">Méthode</TextLink>.
        </p>
      </ProsePart>
      <ProsePart id="outils" title="Clients générés">
        <p>
          La <TextLink href="/api/openapi.json">description OpenAPI 3.1</TextLink> suffit à
          openapi-typescript, hey-api ou orval pour écrire un client. Chaque opération y garde son nom.
        </p>
      </ProsePart>
    </DevelopersPage>
  )
}

type FirstProps = Pick<GuideProps, 'origin' | 'first' | 'demonstrated'>

function FirstSteps({ origin, first, demonstrated }: FirstProps) {
  const key = demonstrated ?? 'ntalo_live_…'
  return (
    <ProsePart id="premiere" title="Première requête">
      <ol className="space-y-3 [&>li]:list-decimal">
        <li>
          <TextLink href="/developpeurs/cles">Créez une clé</TextLink>. Elle lit les prix pendant l’essai
          comme avec un abonnement, et n’est montrée qu’une fois.
          {demonstrated && (
            <>
              {' '}
              Ou essayez d’abord celle de cette démonstration, ci-dessous&nbsp;: elle ne fait que lire des
              prix inventés, et tous ses lecteurs partagent son petit quota.
            </>
          )}
        </li>
        <li>
          Donnez-la à votre programme par son environnement, jamais dans son texte.
          <CodeBlock label="Linux, macOS" text={`export NTALO_KEY=${key}`} />
          <CodeBlock label="Windows (PowerShell)" text={`$env:NTALO_KEY = "${key}"`} />
        </li>
        <li>
          Demandez les cinq derniers prix.
          <Snippets of="premiere-requete" snippets={first} />
        </li>
      </ol>
      <p>Pas encore de clé&#8239;? Ce que tout le monde peut lire n’en demande pas&nbsp;:</p>
      <CodeBlock label="curl" text={`curl "${origin}/api/public/overview"`} />
    </ProsePart>
  )
}

function Keys({ origin }: { origin: string }) {
  return (
    <ProsePart id="cles" title="Clés">
      <p>
        Une clé se donne dans l’en-tête <InlineCode>Authorization: Bearer</InlineCode>. Un tableur, qui ne
        sait pas écrire d’en-tête, la donne comme nom d’utilisateur, sans mot de passe&nbsp;:
      </p>
      <CodeBlock label="curl" text={`curl -u "$NTALO_KEY:" "${origin}/api/markets"`} />
      <p>
        Ses portées disent ce qu’elle peut faire, dans les droits de votre compte. Elle n’atteint ni les
        comptes, ni les paiements, ni les clés. Révoquée, elle ne répond plus aussitôt. Quand votre accès se
        termine, elle reçoit <InlineCode>402</InlineCode>, comme vous à l’écran.
      </p>
    </ProsePart>
  )
}

function Errors() {
  return (
    <ProsePart id="erreurs" title="Erreurs">
      <p>
        Un refus a toujours la même forme. <InlineCode>code</InlineCode> est stable et fait partie de la liste
        fermée ci-dessous&#8239;; <InlineCode>message</InlineCode> est une phrase pour une personne, et peut
        changer.
      </p>
      <CodeBlock
        label="400, application/json"
        text={JSON.stringify(
          {
            message: 'Vérifiez les champs signalés.',
            code: 'invalid',
            error: 'Requête invalide',
            errors: [{ field: 'priceValue', message: 'Nombre attendu' }],
            requestId: '6f1d2c0a-6f5e-4a8e-9d5b-3f6f0f6a1b2c',
          },
          null,
          2,
        )}
      />
      <dl className="divide-y divide-line border-y border-line text-sm">
        {listedRefusals.map(({ code, status }) => (
          <div
            key={code}
            id={code}
            className="scroll-mt-20 py-2 sm:grid sm:grid-cols-[minmax(0,13rem)_minmax(0,1fr)] sm:gap-4"
          >
            <dt className="font-mono" translate="no">
              {`${status} ${code}`}
            </dt>
            <dd>
              <WithCode text={refusalMeanings[code]} />
            </dd>
          </div>
        ))}
      </dl>
    </ProsePart>
  )
}

function Reading({ examples }: Pick<GuideProps, 'examples'>) {
  return (
    <>
      <ProsePart id="pages" title="Pages">
        <p>
          Une liste vient par pages&nbsp;: <InlineCode>page</InlineCode> à partir de 1,{' '}
          <InlineCode>limit</InlineCode> jusqu’à 1000 avec une clé, 200 sans.{' '}
          <InlineCode>pagination.pages</InlineCode> dit combien il y en a, <InlineCode>sort</InlineCode>{' '}
          l’ordre, un tiret devant pour le renverser. <InlineCode>fields=id,name</InlineCode> ne rend que ces
          champs.
        </p>
        <p>
          Pour lire toute une liste, mieux vaut un curseur&nbsp;: <InlineCode>cursor=start</InlineCode>{' '}
          d’abord, puis le <InlineCode>cursor</InlineCode> de la réponse tant que{' '}
          <InlineCode>hasMore</InlineCode> est vrai. L’ordre ne bouge pas&nbsp;: ce qui s’écrit entre deux
          pages ne fait rien manquer ni rien doubler. Chaque liste dont la référence nomme ce paramètre se lit
          ainsi.
        </p>
        {examples['pages.mjs'] && <CodeBlock label="JavaScript" text={examples['pages.mjs']} />}
      </ProsePart>
      <ProsePart id="limites" title="Limites et quotas">
        <p>
          Votre formule comprend tant d’appels par minute et par mois, pour toutes vos clés ensemble. Chaque
          réponse dit ce qui reste (<InlineCode>RateLimit</InlineCode>) et le total (
          <InlineCode>RateLimit-Policy</InlineCode>
          ). Au-delà, la réponse est <InlineCode>429</InlineCode> et <InlineCode>Retry-After</InlineCode> dit
          combien de secondes attendre. Une réponse 304 ne compte pas.
        </p>
        <p>
          Un corps JSON tient en 1&nbsp;Mo, une image en 5&nbsp;Mo, un fichier à importer en 200&nbsp;Mo. Une
          réponse vient en quelques secondes ou pas du tout&nbsp;: donnez 30&nbsp;secondes à vos demandes.
        </p>
      </ProsePart>
      <ProsePart id="changements" title="Suivre les changements">
        <p>
          Pour tenir une copie à jour, demandez ce qui a été écrit ou supprimé depuis un instant (
          <InlineCode>updatedSince</InlineCode>), puis continuez avec le <InlineCode>cursor</InlineCode> de la
          réponse tant que <InlineCode>hasMore</InlineCode> est vrai. Rien n’est manqué, même pendant que
          d’autres écrivent. <InlineCode>deleted</InlineCode> donne les identifiants de ce qui n’existe plus.
          Les prix, les taux, les produits et les marchés se suivent ainsi. Un prix n’est pas redonné quand ne
          changent que son produit ou son marché, leurs noms par exemple&nbsp;: suivez-les aussi.
        </p>
        <p>
          Ce qui a changé est gardé 90&nbsp;jours. Un curseur plus ancien est refusé (
          <TextLink href="#cursor_expired">cursor_expired</TextLink>)&nbsp;: recommencez avec{' '}
          <InlineCode>cursor=start</InlineCode>, dans une copie vide. De même,{' '}
          <InlineCode>updatedSince</InlineCode> d’avant ces 90&nbsp;jours rend toutes les lignes.
        </p>
        {examples['changes.mjs'] && <CodeBlock label="JavaScript" text={examples['changes.mjs']} />}
      </ProsePart>
      <ProsePart id="inchange" title="Réponses inchangées">
        <p>
          Avec une clé, chaque réponse porte un <InlineCode>ETag</InlineCode>. Gardez-le et renvoyez-le dans{' '}
          <InlineCode>If-None-Match</InlineCode>. Si rien n’a changé, la réponse est 304, sans corps et hors
          quota.
        </p>
        {examples['unchanged.mjs'] && <CodeBlock label="JavaScript" text={examples['unchanged.mjs']} />}
      </ProsePart>
      <ProsePart id="navigateur" title="Depuis un navigateur">
        <p>
          Une page de n’importe quel site peut appeler l’API avec une clé (CORS), sans cookie. Qui lit la page
          lit la clé&nbsp;: donnez-lui les portées de lecture seules, ou passez par votre serveur.
        </p>
      </ProsePart>
      <ProsePart id="versions" title="Versions">
        <p>
          Une clé garde la version du jour où elle a été faite, aujourd’hui{' '}
          <InlineCode>{latestVersion}</InlineCode>. L’en-tête <InlineCode>Ntalo-Version</InlineCode> en
          demande une autre, la réponse dit laquelle a servi. Un champ peut s’ajouter sans nouvelle
          version&nbsp;: ignorez ceux que vous ne connaissez pas.
        </p>
      </ProsePart>
    </>
  )
}

function Receiving({ examples }: Pick<GuideProps, 'examples'>) {
  const receivers = [
    ['JavaScript', examples['webhook-receiver.mjs']],
    ['Python', examples['webhook_receiver.py']],
  ] as const
  const snippets = receivers.flatMap(([language, code]) => (code ? [{ language, code }] : []))
  return (
    <ProsePart id="webhooks" title="Webhooks">
      <p>
        Plutôt que de demander sans cesse, faites-vous avertir&nbsp;: une adresse https à vous reçoit un
        message quand des prix sont ajoutés, corrigés ou retirés, quand une de vos alertes sonne ou quand
        votre abonnement change. Chaque message est signé selon Standard Webhooks. Sans réponse 2xx, il est
        envoyé dix fois en 75&nbsp;heures, puis gardé pour être rejoué.
      </p>
      {snippets.length > 0 && (
        <>
          <p>Un récepteur qui vérifie la signature&nbsp;:</p>
          <Snippets of="recepteur" snippets={snippets} />
        </>
      )}
      <p>
        Les opérations&nbsp;: <TextLink href="/developpeurs/reference/webhooks">Webhooks</TextLink>.
      </p>
    </ProsePart>
  )
}

/** The data available besides single prices. */
function Contents({ origin }: Pick<GuideProps, 'origin'>) {
  return (
    <>
      <ProsePart id="series" title="Séries">
        <p>
          Une série est un produit dans un marché, semaine par semaine&nbsp;: le niveau en francs (
          <InlineCode>level</InlineCode>), l’indice 100 la première semaine (<InlineCode>index</InlineCode>),
          le nombre de relevés. Une semaine sans relevé entre deux autres est une estimation&nbsp;:{' '}
          <InlineCode>estimated</InlineCode> est vrai et l’indice null. <InlineCode>isProvisional</InlineCode>{' '}
          dit que la semaine peut encore changer.
        </p>
        <CodeBlock
          label="curl"
          text={`curl -H "Authorization: Bearer $NTALO_KEY" "${origin}/api/series?limit=1000"`}
        />
        <p>
          Les champs&nbsp;: <TextLink href="/developpeurs/reference/series">Séries</TextLink>.
        </p>
      </ProsePart>
      <ProsePart id="editions" title="Éditions">
        <p>
          Chaque mois, tous les relevés jusqu’à son dernier jour paraissent dans des fichiers numérotés qui ne
          changent jamais&nbsp;: CSV comprimé avec étiquettes HXL, Parquet et{' '}
          <InlineCode>datapackage.json</InlineCode>, chacun avec son SHA-256 et une citation. Pour un travail
          à refaire à l’identique, citez une édition plutôt que l’API. Une correction est une édition
          nouvelle&nbsp;: <InlineCode>supersededBy</InlineCode> de l’ancienne la nomme.
        </p>
        <CodeBlock
          label="curl"
          text={`curl -H "Authorization: Bearer $NTALO_KEY" "${origin}/api/editions"`}
        />
        <p>
          Les champs&nbsp;: <TextLink href="/developpeurs/reference/editions">Éditions</TextLink>. À l’écran,{' '}
          <TextLink href="/donnees">Données</TextLink>.
        </p>
      </ProsePart>
      <ProsePart id="alertes" title="Alertes">
        <p>
          Une alerte sonne quand un prix passe un seuil, change de tant de pour cent, sort de l’habituel ou
          n’est plus relevé. Deux relevés de suite la confirment. Un programme la crée avec la portée{' '}
          <InlineCode>prices.read</InlineCode>, lit ce qui a sonné dans{' '}
          <InlineCode>/api/alerts/events</InlineCode>, ou le reçoit par le webhook{' '}
          <InlineCode>alert.fired</InlineCode>.
        </p>
        <p>
          Les opérations&nbsp;: <TextLink href="/developpeurs/reference/alerts">Alertes</TextLink>.
        </p>
      </ProsePart>
    </>
  )
}
