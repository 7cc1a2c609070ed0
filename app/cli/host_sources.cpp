#include "app/cli/host_sources.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "app/cli/output.h"
#include "app/cli/stop_signals.h"
#include "core/remote/fetching/fetched_files.h"
#include "core/remote/hosts/host.h"

namespace ulp::cli {
namespace {

Result<std::string> sourceHere(const std::string& source,
                               bool wholeDumps,
                               const CommandContext& context) {
  const auto signals = ULP_TRY(StopSignals::install());
  const ExpendableWork expendable(*signals);
  ProgressLine line(context, "fetching");
  const auto here = ULP_TRY(remote::fetch(
      ULP_TRY(remote::parseLocation(source)),
      {.wholeDumps = wholeDumps,
       .see = [&line](const std::string& /*name*/, std::uint64_t done, std::uint64_t total) {
         line(done, total);
       }}));
  return here.string();
}

}  // namespace

Result<std::vector<std::string>> withSourcesHere(std::vector<std::string> words,
                                                 const CommandContext& context) {
  // These open dumps by what reads them; the others, and other tools' comparisons, read files.
  constexpr std::array<std::string_view, 5> kOpenDumps{
      "compare", "diverge", "export", "import", "inspect"};
  const bool wholeDumps =
      words.size() < 2 || std::ranges::find(kOpenDumps, words[1]) == kOpenDumps.end() ||
      std::ranges::any_of(words, [](const std::string& word) { return word.starts_with("--as"); });
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    // What follows is the command line of another program, or a host.
    const std::size_t equals = words[i].starts_with("--") ? words[i].find('=') : std::string::npos;
    const std::size_t begin = equals == std::string::npos ? 0 : equals + 1;
    const std::string_view name =
        begin > 0 ? std::string_view(words[i]).substr(0, equals) : std::string_view(words[i - 1]);
    if (remote::isLocation(std::string_view(words[i]).substr(begin)) && name != "--on") {
      words[i].replace(begin,
                       std::string::npos,
                       ULP_TRY(sourceHere(words[i].substr(begin), wholeDumps, context)));
    }
  }
  return words;
}

}  // namespace ulp::cli
