#include "core/report/summary/provenance_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <vector>

#include "core/report/summary/input_amount.h"

namespace ulp::report {
namespace {

constexpr std::size_t kDigestCharacters = 12;
constexpr std::size_t kDateCharacters = 10;  ///< of ISO 8601

/// Without the name of the hash, shortened.
std::string shortDigest(std::string_view digest) {
  const std::size_t colon = digest.find(':');
  digest = colon == std::string_view::npos ? digest : digest.substr(colon + 1);
  return std::string(digest.substr(0, kDigestCharacters));
}

}  // namespace

std::string provenanceLine(const Report& report) {
  const Provenance& provenance = report.provenance;
  std::vector<std::string> parts;
  const auto add = [&parts](std::string_view format, const std::string& value) {
    if (!value.empty()) {
      parts.push_back(fmt::format(fmt::runtime(format), value));
    }
  };
  add("{}", report.model.name);
  add("weights {}", shortDigest(provenance.weightsDigest));
  add("{}", provenance.input);
  add("tokens {}", shortDigest(provenance.tokenDigest));
  add("{}", inputAmount(report));
  add("{}", provenance.device);
  add("{}", provenance.startedAt.substr(0, kDateCharacters));
  add("Ulpscope {}", provenance.ulpscopeVersion);
  return fmt::format("{}", fmt::join(parts, " · "));
}

}  // namespace ulp::report
