#include "core/analysis/dumps/entry_matching.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unordered_map>

#include "core/analysis/dumps/dump_site.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::EntryKind;

/// Keys of a unit's entries, distinct by a number where the same stands more than once.
class EntryKeys {
 public:
  EntryKeys(const DumpUnit& unit, const SiteMapping* mapping) : m_unit(unit), m_mapping(mapping) {
    m_keys.resize(unit.entries.size());
    for (std::size_t i = 0; i < unit.entries.size(); ++i) {
      std::string key = base(i);
      const std::size_t occurrence = m_seen[key]++;
      m_keys[i] = occurrence == 0 ? std::move(key) : fmt::format("{}#{}", key, occurrence);
    }
  }

  [[nodiscard]] const std::vector<std::string>& all() const { return m_keys; }

 private:
  [[nodiscard]] std::string mapped(const std::string& name) const {
    return m_mapping == nullptr ? name : m_mapping->map(name);
  }

  /// The enclosing module call; its own key does for it, and tells calls of the same module apart.
  [[nodiscard]] std::string scopeOf(const DumpEntry& entry) const {
    if (entry.parent == dumps::kNone) {
      return mapped(entry.module);
    }
    const DumpEntry& parent = m_unit.entries[entry.parent];
    return fmt::format("{}#{}", mapped(parent.module), parent.call);
  }

  [[nodiscard]] std::string base(std::size_t index) const {
    const DumpEntry& entry = m_unit.entries[index];
    const std::string pass(toString(entry.pass));
    switch (entry.kind) {
      case EntryKind::Module:
        return fmt::format("m|{}|{}|{}", pass, mapped(entry.module), entry.call);
      case EntryKind::Gradient:
        return fmt::format("g|{}|{}", pass, mapped(entry.module));
      case EntryKind::Api:
        return fmt::format("a|{}|{}|{}", pass, scopeOf(entry), entry.operation);
      case EntryKind::Saved:
      case EntryKind::Tensor:
        break;
    }
    return fmt::format("t|{}|{}", pass, mapped(entry.name));
  }

  const DumpUnit& m_unit;
  const SiteMapping* m_mapping;
  std::unordered_map<std::string, std::size_t> m_seen;
  std::vector<std::string> m_keys;
};

std::vector<std::size_t> findPartners(const std::vector<std::string>& baseline,
                                      const std::vector<std::string>& candidate) {
  std::unordered_map<std::string_view, std::size_t> places;
  places.reserve(candidate.size());
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    places.emplace(candidate[i], i);
  }
  std::vector<std::size_t> partners(baseline.size(), dumps::kNone);
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    if (const auto found = places.find(baseline[i]); found != places.end()) {
      partners[i] = found->second;
    }
  }
  return partners;
}

std::string siteKey(const Site& site) {
  return fmt::format("{}|{}", toString(site.pass), site.name);
}

/// The rows of the entries that have no partner yet, by site.
std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> sitesOf(
    const DumpUnit& unit, const std::vector<bool>& isPaired, const SiteMapping& mapping) {
  std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> sites;
  for (std::size_t i = 0; i < unit.entries.size(); ++i) {
    const DumpEntry& entry = unit.entries[i];
    for (std::size_t r = 0; !isPaired[i] && r < entry.rowCount; ++r) {
      Site site = siteOf(unit, i, entry.firstRow + r);
      site.name = mapping.map(site.name);
      sites.emplace(siteKey(site), std::pair(i, entry.firstRow + r));
    }
  }
  return sites;
}

class Matcher {
 public:
  Matcher(const DumpUnit& baseline, const DumpUnit& candidate, const SiteMapping& mapping)
      : m_baseline(baseline),
        m_candidate(candidate),
        m_mapping(mapping),
        m_isCandidatePaired(candidate.entries.size()),
        m_isCandidateRowPaired(candidate.rows.size()) {}

  [[nodiscard]] UnitMatching match() && {
    const EntryKeys own(m_baseline, nullptr);
    const EntryKeys other(m_candidate, m_mapping.isEmpty() ? nullptr : &m_mapping);
    m_partners = findPartners(own.all(), other.all());
    for (const std::size_t partner : m_partners) {
      if (partner != dumps::kNone) {
        m_isCandidatePaired[partner] = true;
      }
    }
    pairOnlyTensors();
    matchSites();
    for (std::size_t i = 0; i < m_partners.size(); ++i) {
      m_partners[i] == dumps::kNone ? m_result.onlyBaselineEntries.push_back(i) : pairRows(i);
    }
    for (std::size_t i = 0; i < m_candidate.entries.size(); ++i) {
      if (!m_isCandidatePaired[i]) {
        m_result.onlyCandidateEntries.push_back(i);
      }
    }
    return std::move(m_result);
  }

 private:
  /// A tensor on either side and nothing else is a pair whatever they are called: two files.
  void pairOnlyTensors() {
    const auto isOneTensor = [](const DumpUnit& unit) {
      return unit.entries.size() == 1 && unit.rows.size() == 1 &&
             unit.entries.front().kind == dumps::EntryKind::Tensor;
    };
    if (isOneTensor(m_baseline) && isOneTensor(m_candidate)) {
      m_partners[0] = 0;
      m_isCandidatePaired[0] = true;
      m_bySite[0] = {0, 0};
    }
  }

  /// What has no partner by its place may have one by its meaning.
  void matchSites() {
    const auto sites = sitesOf(m_candidate, m_isCandidatePaired, m_mapping);
    for (std::size_t i = 0; !sites.empty() && i < m_partners.size(); ++i) {
      const DumpEntry& entry = m_baseline.entries[i];
      for (std::size_t r = 0; m_partners[i] == dumps::kNone && r < entry.rowCount; ++r) {
        const auto found = sites.find(siteKey(siteOf(m_baseline, i, entry.firstRow + r)));
        if (found != sites.end() && !m_isCandidatePaired[found->second.first]) {
          m_partners[i] = found->second.first;
          m_isCandidatePaired[m_partners[i]] = true;
          m_bySite[i] = {entry.firstRow + r, found->second.second};
        }
      }
    }
  }

  void pairRows(std::size_t index) {
    const DumpEntry& left = m_baseline.entries[index];
    const DumpEntry& right = m_candidate.entries[m_partners[index]];
    m_result.entries.push_back({index, m_partners[index]});
    const std::size_t pair = m_result.entries.size() - 1;
    // Tools that meet by meaning alone name roles and indices each in its own way.
    const auto meant = m_bySite.find(index);
    for (std::size_t r = left.firstRow; r < left.firstRow + left.rowCount; ++r) {
      std::size_t partner = meant != m_bySite.end() && meant->second.first == r
                                ? meant->second.second
                                : findRow(right, m_baseline.rows[r]);
      if (partner == dumps::kNone) {
        m_result.onlyBaselineRows.push_back(r);
      } else {
        m_isCandidateRowPaired[partner] = true;
        m_result.rows.push_back({r, partner, pair});
      }
    }
    for (std::size_t r = right.firstRow; r < right.firstRow + right.rowCount; ++r) {
      if (!m_isCandidateRowPaired[r]) {
        m_result.onlyCandidateRows.push_back(r);
      }
    }
  }

  [[nodiscard]] std::size_t findRow(const DumpEntry& entry, const DumpRow& row) const {
    const auto find = [&](const auto& fits) {
      for (std::size_t r = entry.firstRow; r < entry.firstRow + entry.rowCount; ++r) {
        const DumpRow& other = m_candidate.rows[r];
        if (!m_isCandidateRowPaired[r] && other.role == row.role && fits(other.index)) {
          return r;
        }
      }
      return dumps::kNone;
    };
    const std::size_t same = find([&](const std::string& index) { return index == row.index; });
    if (same != dumps::kNone || !isFirstOfRole(row.index)) {
      return same;
    }
    return find([](const std::string& index) { return isFirstOfRole(index); });
  }

  const DumpUnit& m_baseline;
  const DumpUnit& m_candidate;
  const SiteMapping& m_mapping;
  std::vector<std::size_t> m_partners;  ///< of the baseline's entries
  std::vector<bool> m_isCandidatePaired;
  std::vector<bool> m_isCandidateRowPaired;
  std::unordered_map<std::size_t, std::pair<std::size_t, std::size_t>> m_bySite;
  UnitMatching m_result;
};

}  // namespace

UnitMatching matchUnits(const DumpUnit& baseline,
                        const DumpUnit& candidate,
                        const SiteMapping& mapping) {
  return Matcher(baseline, candidate, mapping).match();
}

}  // namespace ulp::analysis
