#include "runner/worker/session/operation_notes.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>
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

}  // namespace

std::vector<std::string> operationNotes(const std::string& run,
                                        const engine::RunOutcome& outcome,
                                        const std::vector<Site>& uncompared,
                                        bool isCompiled) {
  std::vector<std::string> notes;
  tell(notes,
       run,
       outcome.missing,
       isCompiled ? "operation of the reference was compiled away, and has no row"
                  : "operation of the reference is not made in every micro-batch, and has no row",
       isCompiled
           ? "operations of the reference were compiled away, and have no row; the kernels that "
             "torch.compile made of them stand at the row of their layer"
           : "operations of the reference are not made in every micro-batch, and have no row");
  tell(notes,
       run,
       outcome.unplaced,
       "operation has no row, since which part of it is of the compared sequences is not known",
       "operations have no row, since which part of them is of the compared sequences is not "
       "known");
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
