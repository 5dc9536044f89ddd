const SIGNATURE_FLAGS = `Signature flags:
  --header NAME            header with the signature
  --encoding ENCODING      auto (default), hex, base64 or base64url
  --prefix TEXT            what stands before the signature, such as sha256=
  --timestamp-header NAME  header with the Unix time that is signed with the body
  --separator TEXT         between timestamp and body (default ".")
  --tolerance SECONDS      how far the timestamp may be from now (default 300)`;

const BODY = `The body is FILE, or standard input. The secret is read from CONFAB_WEBHOOK_SECRET, or --secret.`;

const EXIT_CODES = `Exit code: 0 done, 1 refused or not found, 2 wrong use.`;

/** What `confab-webhooks --help` prints. */
export const USAGE = `confab-webhooks: sign, check and receive webhook deliveries

  confab-webhooks sign   --header NAME [signature flags] [--timestamp SECONDS] [FILE]
      prints the headers that sign the body
  confab-webhooks verify --header NAME [signature flags] -H "name: value"… [FILE]
      says whether a captured delivery is genuine
  confab-webhooks detect -H "name: value"… [FILE]
      finds where a captured delivery carries its signature
  confab-webhooks listen [--header NAME [signature flags]] [--port 3000] [--host 127.0.0.1]
      receives deliveries, prints each one, and why it refused one; without --header, detects

${BODY}

${SIGNATURE_FLAGS}

  -h, --help               this, or the help of a command: confab-webhooks sign --help
      --version            the version

${EXIT_CODES}`;

/** What `--help` prints after the name of a command. */
export const COMMAND_HELP = {
  sign: `confab-webhooks sign: prints the headers that sign a body, as \`curl -H @-\` reads them

  confab-webhooks sign --header NAME [signature flags] [--timestamp SECONDS] [FILE]

${BODY}

${SIGNATURE_FLAGS}
  --timestamp SECONDS      Unix time to sign (default now), with --timestamp-header

Example, a delivery to your own receiver:
  confab-webhooks sign --header x-webhook-signature body.json |
    curl -H @- --data-binary @body.json http://localhost:3000/webhooks

${EXIT_CODES}`,
  verify: `confab-webhooks verify: says whether a captured delivery is genuine, and which event it holds

  confab-webhooks verify --header NAME [signature flags] -H "name: value"… [FILE]

${BODY}

${SIGNATURE_FLAGS}
  -H "name: value"         a header of the delivery; once for each

Example:
  confab-webhooks verify --header x-webhook-signature -H 'x-webhook-signature: 9f86…' body.json

${EXIT_CODES}`,
  detect: `confab-webhooks detect: finds where a captured delivery carries its signature

  confab-webhooks detect -H "name: value"… [FILE]

${BODY}

  -H "name: value"         a header of the delivery; once for each

Example:
  confab-webhooks detect -H 'x-one: 9f86…' -H 'x-two: 1700000000' body.json

${EXIT_CODES}`,
  listen: `confab-webhooks listen: receives deliveries, prints each one, and why it refused one

  confab-webhooks listen [--header NAME [signature flags]] [--port 3000] [--host 127.0.0.1]

Without --header, it finds where each delivery carries its signature. It runs until it is stopped.
The secret is read from CONFAB_WEBHOOK_SECRET, or --secret.

${SIGNATURE_FLAGS}
  --port NUMBER            port to listen on (default 3000; 0 for a free one)
  --host ADDRESS           address to listen on (default 127.0.0.1)

Example:
  confab-webhooks listen --header x-webhook-signature --port 8080

${EXIT_CODES}`,
} as const;
