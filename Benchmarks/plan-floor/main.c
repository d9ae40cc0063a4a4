// Least work for the rows of a plan: reads the sources of a job, makes the same SHA-1s, writes the same bytes.
// Usage: plan-floor JOB LINES-OF-ITS-HEAD [SUFFIX ROW]...
// In a ROW the bytes 1 to 4 stand for source, key, file name and number of the line. `scripts/bench` builds and runs it.
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE = 1, KEY, NAME, LINE, LONGEST = 4096 };

static void hexadecimal(const unsigned char *digest, char *text) {
  for (int i = 0; i < SHA_DIGEST_LENGTH; i++) {
    text[2 * i] = "0123456789abcdef"[digest[i] >> 4];
    text[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
  }
}

static void writeRow(const char *row, const char *key, size_t source, size_t keyLength, const char *name, long line) {
  for (size_t run; *row; row += run) {
    run = strcspn(row, "\1\2\3\4");
    fwrite_unlocked(row, 1, run, stdout);
    if (!row[run]) return;
    switch (row[run++]) {
    case SOURCE: fwrite_unlocked(key, 1, source, stdout); break;
    case KEY: fwrite_unlocked(key, 1, keyLength, stdout); break;
    case NAME: fwrite_unlocked(name, 1, 2 * SHA_DIGEST_LENGTH, stdout); break;
    case LINE: fprintf(stdout, "%ld", line); break;
    }
  }
}

int main(int count, char **arguments) {
  static char line[LONGEST], key[2 * LONGEST], room[1 << 18];
  FILE *job = count > 2 ? fopen(arguments[1], "r") : NULL;
  if (!job) return 2;
  setvbuf(stdout, room, _IOFBF, sizeof room);
  long head = strtol(arguments[2], NULL, 10);
  for (long number = 1; fgets(line, sizeof line, job); number++) {
    size_t length = strcspn(line, "\n");
    if (number <= head) continue;
    memcpy(key, line, length);
    for (int i = 3; i + 1 < count; i += 2) {
      size_t suffix = strlen(arguments[i]);
      if (suffix >= LONGEST) return 2;
      memcpy(key + length, arguments[i], suffix);
      unsigned char digest[SHA_DIGEST_LENGTH];
      char name[2 * SHA_DIGEST_LENGTH];
      SHA1((unsigned char *)key, length + suffix, digest);
      hexadecimal(digest, name);
      writeRow(arguments[i + 1], key, length, length + suffix, name, number);
    }
  }
  return fflush(stdout) ? 1 : 0;
}
