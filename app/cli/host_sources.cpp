#include "app/cli/host_sources.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
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

/// Options that name what is written.
constexpr std::array<std::string_view, 4> kWritten{"-o", "--output", "--report", "--unpack"};

/// The word at `at` is the second of `export` that belongs to no option: what it writes.
bool isTarget(const std::vector<std::string>& words, std::size_t at) {
  return words[1] == "export" && at > 2 && !words[at - 1].starts_with('-') &&
         (at == 3 || !words[at - 2].starts_with('-'));
}

}  // namespace

Result<std::vector<std::string>> withSourcesHere(std::vector<std::string> words,
                                                 const CommandContext& context) {
  // These open dumps by what reads them; the others, and other tools' comparisons, read files.
  constexpr std::array<std::string_view, 6> kOpenDumps{
      "check", "compare", "diverge", "export", "inspect", "report"};
  const bool isOfHosts = words.size() > 1 && words[1] == "jobs";
  const bool wholeDumps =
      words.size() < 2 || std::ranges::find(kOpenDumps, words[1]) == kOpenDumps.end() ||
      std::ranges::any_of(words, [](const std::string& word) { return word.starts_with("--as"); });
  for (std::size_t i = 1; i < words.size() && words[i] != "--" && !isOfHosts; ++i) {
    // What follows is the command line of another program, or a host.
    const std::size_t equals = words[i].starts_with("--") ? words[i].find('=') : std::string::npos;
    const std::size_t begin = equals == std::string::npos ? 0 : equals + 1;
    const std::string_view name =
        begin > 0 ? std::string_view(words[i]).substr(0, equals) : std::string_view(words[i - 1]);
    const std::string address = words[i].substr(begin);
    if (!remote::isLocation(address) || name == "--on") {
      continue;
    }
    if (std::ranges::find(kWritten, name) != kWritten.end() || isTarget(words, i)) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: results are written on this machine; name a place here, or run "
                              "the command there, with `ssh HOST ulpscope-cli …`",
                              address));
    }
    const std::string here = ULP_TRY(sourceHere(address, wholeDumps, context));
    words[i].replace(begin, std::string::npos, here);
  }
  return words;
}

}  // namespace ulp::cli
