#include "core/report/provenance_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ulp::report {
namespace {

constexpr std::size_t kDigestCharacters = 12;
constexpr std::size_t kDateCharacters = 10;  ///< of ISO 8601

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
  add("tokens {}", provenance.tokenDigest.substr(0, kDigestCharacters));
  add("{}", provenance.device);
  add("{}", provenance.startedAt.substr(0, kDateCharacters));
  add("Ulpscope {}", provenance.ulpscopeVersion);
  return fmt::format("{}", fmt::join(parts, " · "));
}

}  // namespace ulp::report
