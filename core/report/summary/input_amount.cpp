#include "core/report/summary/input_amount.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <vector>

namespace ulp::report {
namespace {

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::string inputAmount(const Report& report) {
  const Provenance& provenance = report.provenance;
  const Run* reference = report.findRun(report.reference);
  std::vector<std::string> parts;
  if (provenance.sequences != 0) {
    parts.push_back(fmt::format(
        "{} of {} tokens", counted(provenance.sequences, "sequence"), provenance.sequenceLength));
  }
  if (reference != nullptr && reference->step.labels != 0) {
    parts.push_back(counted(reference->step.documents, "document"));
    parts.push_back(counted(reference->step.labels, "label"));
  }
  if (parts.empty()) {
    return "";
  }
  const std::uint64_t finished = reference == nullptr ? 0 : reference->samples;
  parts.insert(parts.begin(),
               finished == provenance.samples
                   ? counted(provenance.samples, "sample")
                   : fmt::format("{} of {} samples", finished, provenance.samples));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace ulp::report
