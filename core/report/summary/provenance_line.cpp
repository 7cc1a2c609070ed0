#include "core/report/summary/provenance_line.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <string_view>
#include <vector>

#include "core/base/list_of.h"
#include "core/report/summary/noise_floor.h"

namespace ulp::report {
namespace {

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

constexpr std::size_t kDigestCharacters = 12;
constexpr std::size_t kDateCharacters = 10;  ///< of ISO 8601

}  // namespace

std::string shortDigest(std::string_view digest) {
  const std::size_t colon = digest.find(':');
  digest = colon == std::string_view::npos ? digest : digest.substr(colon + 1);
  return std::string(digest.substr(0, kDigestCharacters));
}

std::string inputAmount(const Report& report) {
  const Provenance& provenance = report.provenance;
  const Run* reference = report.findRun(report.reference);
  const std::uint64_t finished = reference == nullptr ? 0 : reference->samples;
  std::vector<std::string> parts;
  if (provenance.sequences != 0) {
    // Every sample has as many, and documents and labels are those of the finished ones, too.
    const std::uint64_t run =
        provenance.sequences / std::max<std::uint64_t>(provenance.samples, 1) * finished;
    parts.push_back(
        fmt::format("{} of {} tokens", counted(run, "sequence"), provenance.sequenceLength));
  }
  if (reference != nullptr && reference->step.labels != 0) {
    parts.push_back(counted(reference->step.documents, "document"));
    parts.push_back(counted(reference->step.labels, "label"));
  }
  if (parts.empty()) {
    return "";
  }
  parts.insert(parts.begin(),
               finished == provenance.samples
                   ? counted(provenance.samples, "sample")
                   : fmt::format("{} of {} samples", finished, provenance.samples));
  return fmt::format("{}", fmt::join(parts, ", "));
}

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

std::string deviceId(const Provenance& made) {
  return made.device.substr(0, made.device.find(' '));
}

std::string deviceFactsText(const Report& report) {
  const auto facts = listOf(report.provenance.deviceFacts, [](const auto& fact) {
    return fmt::format("{} {}", fact.first, fact.second);
  });
  return fmt::format("{}", fmt::join(facts, ", "));
}

std::string attentionText(const Report& report) {
  std::vector<std::string> parts;
  for (const Run& run : report.runs) {
    std::set<std::string> kernels;
    for (const auto& [module, kernel] : run.attentionKernels) {
      kernels.insert(kernel);
    }
    if (!kernels.empty()) {
      parts.push_back(fmt::format("{} {}", run.name, fmt::join(kernels, ", ")));
    }
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string changesOf(const Run& run) {
  if (run.role == RunRole::Floor && run.overrides.empty()) {
    return floorLabel(run.name);
  }
  const auto changes = listOf(run.overrides, [](const auto& change) {
    return fmt::format("{}: {}", change.first, change.second);
  });
  return fmt::format("{}", fmt::join(changes, ", "));
}

}  // namespace ulp::report
