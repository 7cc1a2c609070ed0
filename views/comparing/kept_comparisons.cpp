#include "views/comparing/kept_comparisons.h"

#include <algorithm>
#include <utility>

namespace ulp::views {
namespace {

bool isAmong(const KeptComparisons::Ids& ids, const std::filesystem::path& id) {
  return std::ranges::find(ids, id) != ids.end();
}

/// Takes out those for which `isMeant` holds.
template <class Predicate>
KeptComparisons::Gone take(std::vector<KeptComparison>& all, const Predicate& isMeant) {
  KeptComparisons::Gone gone;
  std::erase_if(all, [&](const KeptComparison& one) {
    if (!isMeant(one)) {
      return false;
    }
    gone.push_back(one.newest);
    return true;
  });
  return gone;
}

}  // namespace

bool isSameComparison(const report::LoadedReport& left, const report::LoadedReport& right) {
  const auto& one = left.report->dumps;
  return one && one == right.report->dumps;
}

KeptComparison* KeptComparisons::find(const std::filesystem::path& id) {
  const auto found =
      std::ranges::find_if(m_all, [&](const KeptComparison& one) { return one.newest.file == id; });
  return found == m_all.end() ? nullptr : &*found;
}

KeptComparisons::Gone KeptComparisons::put(const report::LoadedReport& state, const Ids& open) {
  if (KeptComparison* held = find(state.file)) {
    return {std::exchange(held->newest, state)};
  }
  m_all.push_back({.newest = state});
  if (m_all.size() <= kMost) {
    return {};
  }
  const auto oldest = std::ranges::find_if(m_all, [&](const KeptComparison& one) {
    return one.newest.file != state.file && !isAmong(open, one.newest.file);
  });
  if (oldest == m_all.end()) {
    return {};
  }
  Gone gone{oldest->newest};
  m_all.erase(oldest);
  return gone;
}

KeptComparisons::Gone KeptComparisons::remove(const std::filesystem::path& id) {
  return take(m_all, [&](const KeptComparison& one) { return one.newest.file == id; });
}

KeptComparisons::Gone KeptComparisons::removeOlder(const std::filesystem::path& id,
                                                   const Ids& open) {
  const KeptComparison* held = find(id);
  if (held == nullptr) {
    return {};
  }
  // A copy: the entry moves while others are taken out.
  const report::LoadedReport newest = held->newest;
  return take(m_all, [&](const KeptComparison& one) {
    return one.newest.file != id && !isAmong(open, one.newest.file) &&
           isSameComparison(one.newest, newest);
  });
}

}  // namespace ulp::views
