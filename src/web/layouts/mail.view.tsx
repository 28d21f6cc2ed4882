import { type MailContent, signature } from '#shared/mail.ts'

// Mail programs read neither style sheets nor variables: the palette's light values, written where they are used.
const ink = '#0f1a2a'
const inkSoft = '#4d5868'
const river = '#0a5aa8'
const text = { margin: '0 0 16px', fontSize: '16px', lineHeight: '24px', whiteSpace: 'pre-line' } as const
const small = { ...text, margin: '0 0 8px', fontSize: '14px', lineHeight: '20px', color: inkSoft } as const

/** A mail around what it says. */
export function MailView({ subject, paragraphs, action, notes = [], unsubscribeUrl }: MailContent) {
  return (
    <html lang="fr">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>{subject}</title>
      </head>
      <body
        style={{
          margin: 0,
          padding: '24px 16px',
          background: '#faf8f4',
          color: ink,
          fontFamily: 'sans-serif',
        }}
      >
        <div
          style={{
            maxWidth: '560px',
            margin: '0 auto',
            padding: '24px',
            background: '#ffffff',
            border: '1px solid #e3ded3',
            borderRadius: '6px',
          }}
        >
          <p style={{ margin: '0 0 24px', fontSize: '18px', fontWeight: 600, color: river }}>Ntalo</p>
          <h1 style={{ margin: '0 0 16px', fontSize: '20px', lineHeight: '28px' }}>{subject}</h1>
          {paragraphs.map((paragraph) => (
            <p key={paragraph} style={text}>
              {paragraph}
            </p>
          ))}
          {action && (
            <>
              <p style={{ margin: '24px 0' }}>
                <a
                  href={action.url}
                  style={{
                    display: 'inline-block',
                    padding: '12px 20px',
                    borderRadius: '6px',
                    background: river,
                    color: '#ffffff',
                    fontSize: '16px',
                    textDecoration: 'none',
                  }}
                >
                  {action.label}
                </a>
              </p>
              <p style={small}>
                Si le bouton ne mène nulle part, copiez cette adresse dans votre navigateur&nbsp;:
              </p>
              <p style={{ ...small, wordBreak: 'break-all' }}>{action.url}</p>
            </>
          )}
          {notes.map((note) => (
            <p key={note} style={small}>
              {note}
            </p>
          ))}
          {unsubscribeUrl && (
            <p style={small}>
              <a href={unsubscribeUrl} style={{ color: river }}>
                Ne plus recevoir ces e-mails
              </a>
            </p>
          )}
        </div>
        <p style={{ ...small, maxWidth: '560px', margin: '16px auto 0', textAlign: 'center' }}>{signature}</p>
      </body>
    </html>
  )
}
