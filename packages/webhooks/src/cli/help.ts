const SIGNATURE_FLAGS = `Signature flags:
  --scheme NAME            plain (default), standard-webhooks or timestamped (Stripe's t=…,v1=…)
  --header NAME            header with the signature; not for standard-webhooks
  --encoding ENCODING      auto (default of plain), hex (default of timestamped), base64 or base64url
  --prefix TEXT            plain: text before the signature, such as sha256=
  --timestamp-header NAME  plain: header with the Unix time that is signed with the body
  --separator TEXT         text between timestamp and body (default "."); not for standard-webhooks
  --tolerance SECONDS      maximum distance of the timestamp from now (default 300)
  --header-prefix TEXT     standard-webhooks: start of the header names (default webhook)
  --timestamp-field NAME   timestamped: field with the Unix time (default t)
  --signature-field NAME   timestamped: field with a signature (default v1)
  --delimiter TEXT         timestamped: text between two fields (default ",")
  --secret-encoding NAME   decodes the secret: text, base64 or hex (default text; base64 for standard-webhooks)`;

const SECRET = 'The secret comes from CONFAB_WEBHOOK_SECRET or --secret.';

const BODY = `The body comes from FILE or standard input. ${SECRET}`;

const EXIT_CODES = 'Exit code: 0 success, 1 refused or not found, 2 incorrect usage.';

/** The output of `confab-webhooks --help`. */
export const USAGE = `confab-webhooks: signs, verifies and receives webhook deliveries

  confab-webhooks sign   --header NAME [signature flags] [--timestamp SECONDS] [--id ID] [FILE]
      prints the headers that sign the body
  confab-webhooks verify --header NAME [signature flags] -H "name: value"… [FILE]
      checks whether a captured delivery is genuine
  confab-webhooks detect -H "name: value"… [FILE]
      finds the signature of a captured delivery
  confab-webhooks listen [--header NAME [signature flags]] [--port 3000] [--host 127.0.0.1]
      receives deliveries and prints each one, or why it was refused
  confab-webhooks send EVENT --to URL --header NAME [signature flags] [--data JSON]
      signs an event and sends it to a receiver
  confab-webhooks replay FILE [--to URL] [signature flags]
      sends the deliveries again that "listen --record FILE" wrote

${BODY}

${SIGNATURE_FLAGS}

  -h, --help               print this help, or that of a command: confab-webhooks help sign
  -v, --version            print the version

${EXIT_CODES}`;

/** The output of `--help` after the name of a command. */
export const COMMAND_HELP = {
  sign: `confab-webhooks sign: prints the headers that sign a body, in the form that \`curl -H @-\` reads

  confab-webhooks sign --header NAME [signature flags] [--timestamp SECONDS] [--id ID] [FILE]

${BODY}

${SIGNATURE_FLAGS}
  --timestamp SECONDS      Unix time to sign, if the scheme signs one (default now)
  --id ID                  standard-webhooks: id of the delivery (default random)

Example, which sends a delivery to your own receiver:
  confab-webhooks sign --header x-webhook-signature body.json |
    curl -H @- --data-binary @body.json http://localhost:3000/webhooks

${EXIT_CODES}`,
  verify: `confab-webhooks verify: checks whether a captured delivery is genuine, and prints its event

  confab-webhooks verify --header NAME [signature flags] -H "name: value"… [FILE]

${BODY}

${SIGNATURE_FLAGS}
  -H "name: value"         header of the delivery; repeat it for each header

Example:
  confab-webhooks verify --header x-webhook-signature -H 'x-webhook-signature: 9f86…' body.json

${EXIT_CODES}`,
  detect: `confab-webhooks detect: finds the header and the encoding of a captured delivery's signature

  confab-webhooks detect -H "name: value"… [FILE]

${BODY}

  -H "name: value"         header of the delivery; repeat it for each header

Example:
  confab-webhooks detect -H 'x-one: 9f86…' -H 'x-two: 1700000000' body.json

${EXIT_CODES}`,
  listen: `confab-webhooks listen: receives deliveries and prints each one, or why it was refused

  confab-webhooks listen [--header NAME [signature flags]] [--port 3000] [--host 127.0.0.1]
                         [--forward-to URL [--timeout 30]] [--record FILE]

Without signature flags, it finds the signature of each delivery. It runs until you stop it.
Only genuine deliveries are forwarded and recorded. Forwarded ones get the response of your app.
${SECRET}

${SIGNATURE_FLAGS}
  --port NUMBER            port to listen on (default 3000; 0 for a free one)
  --host ADDRESS           address to listen on (default 127.0.0.1)
  --forward-to URL         sends each delivery to your app, with its bytes and headers unchanged, and a Via header
  --record FILE            adds each delivery to a file, one per line, for "replay"
  --timeout SECONDS        maximum wait for the response of your app (default 30)

Examples:
  confab-webhooks listen --header x-webhook-signature --port 8080
  confab-webhooks listen --header x-webhook-signature --forward-to http://localhost:8080/webhooks

${EXIT_CODES}`,
  send: `confab-webhooks send: signs an event, sends it to a receiver and prints the response

  confab-webhooks send EVENT --to URL --header NAME [signature flags] [--data JSON]

${SECRET}

${SIGNATURE_FLAGS}
  --to URL                 URL of the receiver
  --timeout SECONDS        maximum wait for the response (default 30)
  --data JSON              data of the event, or @FILE (default a sample for message.created, otherwise {})
  --timestamp SECONDS      Unix time to sign, if the scheme signs one (default now)
  --id ID                  standard-webhooks: id of the delivery (default random)

Example:
  confab-webhooks send message.created --to http://localhost:8080/webhooks --header x-webhook-signature

Exit code: 0 for a response of 2xx, 1 for any other or none, 2 incorrect usage.`,
  replay: `confab-webhooks replay: sends recorded deliveries again, one after the other

  confab-webhooks replay FILE [--to URL] [signature flags]

FILE is what "listen --record FILE" wrote. The bytes and headers are sent as they were recorded. With signature flags,
each delivery is signed again, with the current time and, for standard-webhooks, a new id. Then the secret comes from
CONFAB_WEBHOOK_SECRET or --secret.

${SIGNATURE_FLAGS}
  --to URL                 URL of the receiver (default http://localhost:3000)
  --timeout SECONDS        maximum wait for each response (default 30)

Example:
  confab-webhooks replay deliveries.jsonl --to http://localhost:8080/webhooks

Exit code: 0 if every response was 2xx, 1 if one was not, 2 incorrect usage.`,
} as const;
