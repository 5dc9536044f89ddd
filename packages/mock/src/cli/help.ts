/** What `--help` prints. */
export const HELP = `confab-mock: the confab API in memory, on this machine

Usage: confab-mock [flags]

  -p, --port <n>            port; 0 picks a free one             (4010)
      --host <address>      address to listen at                 (127.0.0.1)
      --seed <n>            same seed, same ids and key          (1)
      --data <what>         minimal, demo, or a JSON file        (demo)
      --state <file>        load the rows from this file if it is there, and
                            save them to it as they change
      --key <key>           the one API key                      (from the seed;
                            a random one with a --host beyond loopback)
      --scopes <a,b>        what the key may do                  (everything)
      --rate-limit <n>      requests a minute, or <n>/<ms>ms     (600)
      --latency <ms>        of each request, or <least>-<most>   (0)
      --fault <spec>        <operation or *>:<status, 250ms, error, hang,
                            truncate or stall>[:<probability>]; repeatable
      --webhook <url>       deliver events there; repeatable
      --webhook-secret <s>  what deliveries are signed with
      --clock <which>       system, or virtual                   (system)
      --admin-token <t>     what /__mock/* asks for in x-admin-token
  -q, --quiet               print the base URL and the key only
      --version             print the version
  -h, --help                print this
`;
