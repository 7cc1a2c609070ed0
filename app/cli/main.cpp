#include <cstdlib>
#include <iostream>
#include <string_view>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/idle_threads.h"
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
  ulp::cli::limitIdleSpinning();
  const bool errIsTerminal = isatty(STDERR_FILENO) == 1;
  ulp::cli::CommandContext context{.out = std::cout,
                                   .err = std::cerr,
                                   .outIsTerminal = isatty(STDOUT_FILENO) == 1,
                                   .errIsTerminal = errIsTerminal,
                                   .errHasColour = errIsTerminal && wantsColour(),
                                   .openEngine = ulp::engine::loadEngine,
                                   .openPictures = ulp::pictures::loadPictures};
  return static_cast<int>(ulp::cli::runCommandLine(argc, argv, context));
}
