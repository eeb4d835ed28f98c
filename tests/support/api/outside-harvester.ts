import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { StoredRecord } from "./harvester.ts";

/** What the harvester learned of a record. */
export type HarvestedRecord = Omit<StoredRecord, "metadata"> & {
  identifier: string;
  /** The title in Dublin Core; null for a deletion, and for headers. */
  title: string | null;
};

/**
 * Harvests with HTTP::OAI, a library that this project does not maintain, which follows the resumption tokens itself. The first
 * page is requested alone, because the library keeps only the last `responseDate`. After each PAUSE records it waits for a line.
 */
const SCRIPT = String.raw`
  use strict; use warnings;
  use HTTP::OAI; use HTTP::OAI::Metadata::OAI_DC; use JSON::PP;
  my ($base, $verb, $pause, @selection) = @ARGV;
  my $json = JSON::PP->new->canonical->utf8;
  $| = 1;
  my $n = 0;
  my $harvester = HTTP::OAI::Harvester->new(baseURL => $base, resume => 0);
  sub record {
    my ($record) = @_;
    my $header = $record->isa("HTTP::OAI::Header") ? $record : $record->header;
    my $metadata = $record->can("metadata") ? $record->metadata : undef;
    print $json->encode({
      identifier => $header->identifier, datestamp => $header->datestamp,
      isDeleted => $header->is_deleted ? JSON::PP::true : JSON::PP::false,
      sets => [$header->setSpec],
      title => $metadata ? $metadata->dc->{title}[0] : undef,
    }), "\n";
    return if ++$n % $pause;
    print $json->encode({ pause => $n / $pause }), "\n";
    <STDIN>;
  }
  sub ask {
    my $response = $harvester->$verb(onRecord => \&record, handlers => { metadata => "HTTP::OAI::Metadata::OAI_DC" }, @_);
    die $response->code, " ", $response->message, "\n" if $response->is_error;
    die map { $_->code . " " . $_->message . "\n" } $response->errors if $response->errors;
    return $response;
  }
  my $first = ask(metadataPrefix => "oai_dc", @selection);
  my $token = $first->resumptionToken;
  $harvester->resume(1);
  ask(resumptionToken => $token->resumptionToken) if $token && $token->resumptionToken;
  print $json->encode({ responseDate => $first->responseDate }), "\n";
`;

/**
 * A whole harvest of a list by the outside harvester.
 *
 * @param at called after each `every` records; the harvester waits until it resolves
 * @returns the records in their order, and the `responseDate` of the first page
 */
export async function harvestOutside(
  service: { url: string },
  verb: "ListRecords" | "ListIdentifiers",
  selection: Record<string, string> = {},
  { every = 1_000, at = async (_pause: number): Promise<unknown> => undefined } = {},
): Promise<{ records: HarvestedRecord[]; responseDate: string }> {
  const options = Object.entries(selection).flat();
  const child = spawn("perl", ["-e", SCRIPT, `${service.url}/oai`, verb, String(every), ...options]);
  const ended = once(child, "close");
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const records: HarvestedRecord[] = [];
  let responseDate = "";
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const one = JSON.parse(line);
      if (one.pause !== undefined) {
        await at(one.pause);
        child.stdin.write("\n");
      } else if (one.responseDate !== undefined) responseDate = one.responseDate;
      else records.push(one);
    }
  } finally {
    child.kill();
  }
  await ended;
  if (said !== "" || responseDate === "") throw new Error(`The outside harvester failed: ${said}`);
  return { records, responseDate };
}
