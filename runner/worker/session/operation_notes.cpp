#include "runner/worker/session/operation_notes.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/list_of.h"

namespace ulp::worker {
namespace {

/// Of those that are named.
constexpr std::size_t kMostNames = 4;

std::string nameOf(const Site& site) {
  return fmt::format("{} ({})", site.name, toString(site.pass));
}

void tell(std::vector<std::string>& notes,
          const std::string& run,
          const std::vector<Site>& sites,
          std::string_view one,
          std::string_view many) {
  if (sites.empty()) {
    return;
  }
  const std::vector<Site> shown(
      sites.begin(),
      sites.begin() + static_cast<std::ptrdiff_t>(std::min(sites.size(), kMostNames)));
  notes.push_back(fmt::format("{}: {} {}: {}{}",
                              run,
                              sites.size(),
                              sites.size() == 1 ? one : many,
                              fmt::join(listOf(shown, nameOf), ", "),
                              shown.size() == sites.size() ? "" : ", …"));
}

/// "layers 0 to 2: 21 each, outside of layers: 3"
std::string countsByLayer(const std::vector<Site>& sites) {
  std::map<int, std::size_t> counts;
  for (const Site& site : sites) {
    ++counts[site.layer];
  }
  std::vector<std::string> parts;
  for (auto first = counts.begin(); first != counts.end();) {
    auto last = first;
    auto next = std::next(first);
    while (first->first >= 0 && next != counts.end() && next->first == last->first + 1 &&
           next->second == first->second) {
      last = next++;
    }
    parts.push_back(
        first->first < 0 ? fmt::format("outside of layers: {}", first->second)
        : first == last
            ? fmt::format("layer {}: {}", first->first, first->second)
            : fmt::format("layers {} to {}: {} each", first->first, last->first, first->second));
    first = next;
  }
  std::ranges::rotate(parts, parts.begin() + (counts.contains(-1) ? 1 : 0));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void tellCompiled(std::vector<std::string>& notes,
                  const std::string& run,
                  const std::vector<Site>& sites) {
  if (!sites.empty()) {
    notes.push_back(fmt::format(
        "{}: {} of the reference {} compiled away, and {} no row ({}); the kernels that "
        "torch.compile made of them stand at the row of their layer",
        run,
        sites.size() == 1 ? "1 operation" : fmt::format("{} operations", sites.size()),
        sites.size() == 1 ? "was" : "were",
        sites.size() == 1 ? "has" : "have",
        countsByLayer(sites)));
  }
}

}  // namespace

std::vector<std::string> operationNotes(const std::string& run,
                                        const engine::RunOutcome& outcome,
                                        const std::vector<Site>& uncompared,
                                        const engine::PythonPlan& python) {
  std::vector<std::string> notes;
  if (!python.compile.empty()) {
    tellCompiled(notes, run, outcome.missing);
  } else {
    tell(notes,
         run,
         outcome.missing,
         "operation of the reference is not made in every micro-batch, and has no row",
         "operations of the reference are not made in every micro-batch, and have no row");
  }
  if (python.ranks > 1) {
    tell(notes,
         run,
         outcome.unplaced,
         "operation has no row, since how ranks or batches divide it is not known",
         "operations have no row, since how ranks or batches divide them is not known");
  } else {
    tell(notes,
         run,
         outcome.unplaced,
         "operation has no row, since which part of it is of the compared sequences is not known",
         "operations have no row, since which part of them is of the compared sequences is not "
         "known");
  }
  tell(notes,
       run,
       outcome.unlisted,
       "operation is made that a plain pass of the reference does not make, and has no row",
       "operations are made that a plain pass of the reference does not make, and have no row");
  tell(notes,
       run,
       uncompared,
       "operation has another shape than in the reference, and is not compared",
       "operations have another shape than in the reference, and are not compared");
  return notes;
}

void dropIncomplete(Differences& differences, const std::vector<Site>& missing) {
  std::set<std::pair<Pass, std::string_view>> names;
  for (const Site& site : missing) {
    names.emplace(site.pass, site.name);
  }
  std::erase_if(differences.rows, [&names](const report::Comparison& row) {
    return names.contains({row.site.pass, row.site.name});
  });
}

}  // namespace ulp::worker
