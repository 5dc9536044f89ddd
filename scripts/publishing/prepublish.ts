/** Runs in a package before it is published: npm refuses provenance for a package that does not name its repository. */
if (!process.env.GITHUB_REPOSITORY) {
  console.error(
    'Nothing was published: GITHUB_REPOSITORY is not set, so the packages cannot name their repository, and npm refuses provenance without it. The release workflow sets it; elsewhere, set it to owner/name.',
  );
  process.exit(1);
}
