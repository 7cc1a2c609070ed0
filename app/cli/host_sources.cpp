#include "app/cli/host_sources.h"

#include <functional>

#include "app/cli/output.h"
#include "app/cli/stop_signals.h"
#include "core/remote/fetching/fetched_files.h"
#include "core/remote/hosts/host.h"

namespace ulp::cli {
namespace {

Result<std::string> sourceHere(const std::string& source, const CommandContext& context) {
  const auto signals = ULP_TRY(StopSignals::install());
  const ExpendableWork expendable(*signals);
  ProgressLine line(context, "fetching");
  const auto here = ULP_TRY(remote::fetch(
      ULP_TRY(remote::parseLocation(source)),
      {.see = [&line](const std::string& /*name*/, std::uint64_t done, std::uint64_t total) {
        line(done, total);
      }}));
  return here.string();
}

}  // namespace

Result<std::vector<std::string>> withSourcesHere(std::vector<std::string> words,
                                                 const CommandContext& context) {
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    // What follows is the command line of another program, or a host.
    if (remote::isLocation(words[i]) && words[i - 1] != "--on") {
      words[i] = ULP_TRY(sourceHere(words[i], context));
    }
  }
  return words;
}

}  // namespace ulp::cli
