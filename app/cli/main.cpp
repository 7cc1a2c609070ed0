#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/idle_threads.h"
#include "app/cli/terminal_text.h"
#include "core/engine/engine.h"
#include "core/pictures/pictures.h"

namespace {

bool wantsColour() {
  // Read before any thread starts. https://no-color.org: set and not empty switches colours off.
  const char* noColour = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe)
  const char* terminal = std::getenv("TERM");      // NOLINT(concurrency-mt-unsafe)
  const bool isDumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return (noColour == nullptr || *noColour == '\0') && !isDumb;
}

}  // namespace

int main(int argc, char** argv) {
  // Whoever read what this writes may be gone, a window or `head`: the work is finished all the
  // same.
  std::signal(SIGPIPE, SIG_IGN);
  ulp::cli::limitIdleSpinning();
  const bool errIsTerminal = isatty(STDERR_FILENO) == 1;
  const bool outIsTerminal = isatty(STDOUT_FILENO) == 1;
  ulp::cli::TerminalText outText(*std::cout.rdbuf());
  ulp::cli::TerminalText errText(*std::cerr.rdbuf());
  std::ostream out(outIsTerminal ? &outText : std::cout.rdbuf());
  std::ostream err(errIsTerminal ? &errText : std::cerr.rdbuf());
  err << std::unitbuf;
  // What was said before an error stands in front of it, also where both go into one file.
  err.tie(&out);
  ulp::cli::CommandContext context{.out = out,
                                   .err = err,
                                   .outIsTerminal = outIsTerminal,
                                   .errIsTerminal = errIsTerminal,
                                   .errHasColour = errIsTerminal && wantsColour(),
                                   .openEngine = ulp::engine::loadEngine,
                                   .openPictures = ulp::pictures::loadPictures};
  return static_cast<int>(ulp::cli::runCommandLine(argc, argv, context));
}
