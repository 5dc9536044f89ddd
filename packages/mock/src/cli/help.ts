/** The output of `--help`. */
export const HELP = `confab-mock: the confab API in memory, on this machine

Usage: confab-mock [flags]
       confab-mock init [file] [--force]
                            write a data file to start with, in YAML or JSON,
                            and its JSON Schema  (confab-mock.yaml)
       confab-mock probe --base-url <url>
                            ask a service what its documentation leaves open,
                            and write options for a mock that does the same

  -p, --port <n>            port to listen on; 0 picks a free one     (4010)
      --host <address>      address to listen on                      (127.0.0.1)
      --config <file>       options of createMock, in JSON, such as the file that
                            confab-mock probe writes; flags override them
      --seed <n>            the same seed gives the same ids and key  (1)
      --data <name>         minimal, demo, or a JSON or YAML file     (demo)
      --watch               replace all rows, and the faults of the file, when
                            the file of --data changes
      --state <file>        load the rows from this file, and save them to it
                            as they change; a missing file is created with
                            the rows of --data
      --key <key>           the only valid API key      (depends on the seed;
                            random if --host is not a loopback address)
      --scopes <a,b>        scopes of the key                         (all)
      --rate-limit <n>      requests per minute, or <n>/<ms>ms        (600)
      --latency <ms>        milliseconds per request, or <min>-<max>  (0)
      --fault <spec>        <operation or *>:<status, 250ms, error, hang,
                            truncate or stall>[:<probability>]; repeatable
      --webhook <url>       deliver events to this URL; repeatable
      --webhook-secret <s>  secret that deliveries are signed with
      --clock <name>        system or virtual                         (system)
      --cors [origin]       let pages call the API: those of this origin, or
                            of every origin; repeatable
      --allow-http          accept plain HTTP from other machines too
      --tls                 serve over HTTPS, with a certificate made for
                            localhost; prints the file of its CA, for
                            NODE_EXTRA_CA_CERTS
      --tls-cert <file>     certificate of your own, in PEM
      --tls-key <file>      private key of that certificate, in PEM
      --admin-token <t>     token that requests to /__mock/* must send in
                            x-admin-token
      --world-ttl <ms>      delete a world of POST /__mock/worlds after this long
                            without use                       (600000)
      --max-world-bytes <n> memory for all of these worlds together
                                       (a quarter of the heap limit)
      --forward <url>       pass requests on to this service in place of a mock,
                            and report where it differs from the contract
      --record <file>       write what --forward sees as rows and faults, for
                            --data; personal values become stand-ins
      --force               let --record replace an existing file
      --keep-personal-data  let --record keep personal values; keys never
      --forward-key <key>   send this key to the service, not the caller's
  -q, --quiet               print only the base URL and the key, and with --tls
                            the file of the CA
  -v, --version             print the version
  -h, --help                print this help

Examples:
  confab-mock --port 0 --quiet
  confab-mock --fault leads.create:503:0.1 --rate-limit 5/1000ms
  confab-mock --forward https://api.example.com --record rows.json
  confab-mock --webhook http://localhost:3000/webhooks --webhook-secret my-secret
`;

/** The output of `init --help`. */
export const INIT_HELP = `confab-mock init: write a data file to start with, and its JSON Schema

Usage: confab-mock init [file] [--force]

  file                      .yaml, .yml or .json            (confab-mock.yaml)
      --force               overwrite files that exist
  -v, --version             print the version
  -h, --help                print this help

Examples:
  confab-mock init rows.json
  confab-mock --data rows.json --watch
`;

/** The output of `probe --help`. */
export const PROBE_HELP = `confab-mock probe: ask a service what its documentation leaves open

Usage: CONFAB_API_KEY=<key> confab-mock probe --base-url <url>

      --base-url <url>      base URL of the service         (CONFAB_BASE_URL)
      --output <file>       write the options for a mock to this file
                                                         (confab.mock.json)
      --max-requests <n>    send no more requests                        (60)
      --rate-limit <n>      requests per minute of the key, of which the probe
                            takes a tenth, until a response says it     (600)
      --allow-writes        also ask by writing: creates up to five leads, which
                            the API can't delete, named confab-probe
      --record <file>       write the responses as rows and faults, for --data;
                            personal values become stand-ins
      --force               replace existing files
  -v, --version             print the version
  -h, --help                print this help

Examples:
  confab-mock probe --base-url https://api.example.com
  confab-mock --config confab.mock.json
`;
