#!/usr/bin/env bash
# Drives a mock server from a shell script, with only curl: a world, its rows, faults, clock, events and requests.
set -euo pipefail

server=${1:-http://127.0.0.1:4010}

# Prints the body of a response. A status of 400 or more ends the script, with the reason that the mock gives.
call() {
  local method=$1 url=$2 body
  shift 2
  if ! body=$(curl --silent --show-error --noproxy '*' --fail-with-body --request "$method" "$@" "$url"); then
    echo "$method $url: $body" >&2
    return 1
  fi
  echo "$body"
}

# The value of a string in a flat JSON object; use jq for anything that is nested.
field() {
  sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"
}

# Parallel tests create a world each: they share only the server.
world=$(call POST "$server/__mock/worlds" --data '{ "clock": "virtual", "rateLimit": { "requests": 2, "perMs": 60000 } }')
base_url=$(field baseUrl <<<"$world")
key=$(field apiKey <<<"$world")
trap 'call DELETE "$server/__mock/worlds/$(field id <<<"$world")" >/dev/null' EXIT

control() {
  call "$1" "$base_url/__mock/$2" "${@:3}"
}

# The status of a request to the API: curl prints it after the body, which goes elsewhere.
status_of_leads() {
  curl --silent --noproxy '*' --output /dev/null --write-out '%{http_code}' \
    --header "x-api-key: $key" "$base_url/api/v2/public/leads"
}

control POST rows/leads --data '{ "displayName": "Ana", "phone": "+12025550123" }' >/dev/null
echo "rows: $(call GET "$base_url/api/v2/public/leads" --header "x-api-key: $key" | field displayName)"

control POST faults --data '{ "operation": "leads.list", "fault": { "status": 503 } }' >/dev/null
echo "faults: $(status_of_leads) $(status_of_leads)"

limited=$(status_of_leads)
control POST clock --data '{ "advance": 60000 }' >/dev/null
echo "clock: $limited, $(status_of_leads) after 60 s"

control POST inbound --data '{ "phone": "+12025550123", "body": "Hello" }' >/dev/null
echo "inbound: $(control GET rows/messages | field content)"

# If the API was not called five times, ends the script and prints the latest request.
control POST requests/verify --data '{ "operation": "leads.list", "times": 5 }' >/dev/null
echo "requests: verified"
