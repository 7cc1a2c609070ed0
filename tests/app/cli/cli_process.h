#pragma once

#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <vector>

#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::test {

/// What a process left behind.
struct CliOutcome {
  int exitCode = -1;
  std::string out;
  std::string err;
};

inline std::string shellQuoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

/// Runs the real program. `environment` is put in front, such as "NO_COLOR=1".
inline CliOutcome runCli(const std::vector<std::string>& arguments,
                         const std::string& environment = "") {
  const TempDir dir;
  std::string command = environment + " " + shellQuoted(ULP_CLI);
  for (const std::string& argument : arguments) {
    command += " " + shellQuoted(argument);
  }
  command += " >" + (dir / "out").string() + " 2>" + (dir / "err").string() + " </dev/null";
  const int status = std::system(command.c_str());  // NOLINT(concurrency-mt-unsafe)
  return {
      WIFEXITED(status) ? WEXITSTATUS(status) : -1, contentOf(dir / "out"), contentOf(dir / "err")};
}

}  // namespace ulp::test
