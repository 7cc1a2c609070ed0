#include "core/comparing/match/entry_matching.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/list_of.h"
#include "core/comparing/match/entry_keys.h"
#include "core/comparing/match/row_identity.h"
#include "core/comparing/match/row_lookup.h"
#include "core/comparing/match/sequence_alignment.h"
#include "core/comparing/match/structure_pairs.h"
#include "core/dumps/exporters/exported_names.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::EntryKind;

/// A row of a unit, and its entry.
struct RowPlace {
  std::size_t entry = 0;
  std::size_t row = 0;
};

std::string siteKey(const Site& site) {
  return fmt::format("{}|{}", toString(site.pass), site.name);
}

using PlacesByName = std::unordered_map<std::string, RowPlace>;

/// The rows of the entries that have no partner yet, by site.
Result<PlacesByName> sitesOf(const DumpUnit& unit,
                             const std::vector<bool>& isLeftOut,
                             const SiteMapping& mapping,
                             FirstError& error) {
  PlacesByName sites;
  ULP_TRY(eachRow(unit, [&](std::size_t entry, std::size_t row) {
    if (!isLeftOut[entry]) {
      Site site = siteOf(unit, entry, row);
      site.name = error.valueOf([&] { return mapping.map(site.name); }, site.name);
      sites.emplace(siteKey(site), RowPlace{entry, row});
    }
  }));
  return sites;
}

/// Tensors without calls: a file or folder of them.
bool hasNamesAlone(const DumpUnit& unit) {
  return std::ranges::all_of(
      unit.entries, [](const DumpEntry& entry) { return entry.kind == EntryKind::Tensor; });
}

/// Calls `use` with the place of each tensor, and with the name that an export gives it.
template <class Use>
[[nodiscard]] Result<> eachExported(const DumpUnit& unit, const Use& use) {
  dumps::UniqueNames names;
  return eachRow(unit, [&](std::size_t entry, std::size_t row) {
    if (unit.rows[row].hasElements) {
      use(names.make(dumps::exportedName(unit.entries[entry], unit.rows[row])),
          RowPlace{entry, row});
    }
  });
}

class Matcher {
 public:
  Matcher(const DumpUnit& baseline, const DumpUnit& candidate, const SiteMapping& mapping)
      : m_baseline(baseline),
        m_candidate(candidate),
        m_mapping(mapping),
        m_partners(baseline.entries.size(), dumps::kNone),
        m_isCandidatePaired(candidate.entries.size()),
        m_isCandidateRowPaired(candidate.rows.size()),
        m_candidateRows(candidate) {}

  [[nodiscard]] Result<UnitMatching> match() && {
    ULP_TRY(matchNamedRows());
    ULP_TRY(matchExportedNames());
    ULP_TRY(matchPlaces());
    matchStructures();
    pairOnlyTensors();
    ULP_TRY(matchSites());
    ULP_TRY(m_error.check());
    for (std::size_t i = 0; i < m_partners.size(); ++i) {
      if (m_partners[i] == dumps::kNone && !hasNamedRows(i)) {
        m_result.onlyBaselineEntries.push_back(i);
      } else {
        ULP_TRY(pairRows(i));
      }
    }
    listCandidate();
    explain();
    return std::move(m_result);
  }

 private:
  /// A tensor on either side and nothing else is a pair whatever they are called: two files.
  void pairOnlyTensors() {
    const auto isOneTensor = [](const DumpUnit& unit) {
      return unit.entries.size() == 1 && unit.rows.size() == 1 &&
             unit.entries.front().kind == dumps::EntryKind::Tensor;
    };
    if (isOneTensor(m_baseline) && isOneTensor(m_candidate) && m_named.empty()) {
      setPartner(0, 0);
      m_bySite[0] = {0, 0};
    }
  }

  /// Rows that the mapping pairs by name, and with them their entries.
  Result<> matchNamedRows() {
    if (m_mapping.dumps().rows.empty()) {
      return {};
    }
    using Places = std::unordered_map<std::string_view, RowPlace>;
    const auto placesOf = [](const DumpUnit& unit) -> Result<Places> {
      Places places;
      ULP_TRY(eachRow(unit, [&](std::size_t entry, std::size_t row) {
        places.emplace(unit.rows[row].name, RowPlace{entry, row});
      }));
      return places;
    };
    const auto own = ULP_TRY(placesOf(m_baseline));
    const auto others = ULP_TRY(placesOf(m_candidate));
    for (const auto& [from, to] : m_mapping.dumps().rows) {
      const auto left = own.find(to);
      const auto right = others.find(from);
      if (left != own.end() && right != others.end() && setNamed(left->second.row, right->second)) {
        setPartner(left->second.entry, right->second.entry);
      }
    }
    return {};
  }

  /// A dump meets what was exported of it, whose tensors have names alone.
  Result<> matchExportedNames() {
    if (hasNamesAlone(m_baseline) == hasNamesAlone(m_candidate)) {
      return {};
    }
    PlacesByName others;
    ULP_TRY(eachExported(m_candidate, [&](std::string name, const RowPlace& place) {
      others.emplace(std::move(name), place);
    }));
    return eachExported(m_baseline, [&](const std::string& name, const RowPlace& place) {
      const auto found = others.find(name);
      if (found != others.end() && setNamed(place.row, found->second)) {
        setPartner(place.entry, found->second.entry);
        m_isCandidatePaired[found->second.entry] = true;
      }
    });
  }

  /// False: one of the two has a partner already.
  bool setNamed(std::size_t row, const RowPlace& other) {
    if (m_isCandidateRowPaired[other.row] || !m_named.emplace(row, other).second) {
      return false;
    }
    m_isCandidateRowPaired[other.row] = true;
    return true;
  }

  void setPartner(std::size_t baseline, std::size_t candidate) {
    if (m_partners[baseline] == dumps::kNone && !m_isCandidatePaired[candidate]) {
      m_partners[baseline] = candidate;
      m_isCandidatePaired[candidate] = true;
    }
  }

  Result<> matchPlaces() {
    const bool isFuzzy = m_mapping.dumps().isFuzzy;
    const PairedKeys keys = pairedKeys(m_baseline, m_candidate, m_mapping, isFuzzy);
    ULP_TRY(keys.check());
    m_baselineAgain = keys.baseline.recomputed();
    m_candidateAgain = keys.candidate.recomputed();
    const std::vector<std::size_t> partners =
        isFuzzy ? alignSequences(listOf(keys.baseline.all(), &EntryKey::text),
                                 listOf(keys.candidate.all(), &EntryKey::text))
                : listOf(keys.baseline.all(),
                         [&](const EntryKey& key) { return keys.candidate.find(key.text()); });
    for (std::size_t i = 0; i < partners.size(); ++i) {
      if (partners[i] != dumps::kNone) {
        setPartner(i, partners[i]);
      }
    }
    return {};
  }

  /// PyTorch and ATB name nothing alike. What the mapping pairs stays as it is.
  void matchStructures() {
    const std::vector<bool> isCandidateTaken = m_isCandidatePaired;
    std::size_t count = 0;
    for (const StructuralPair& pair : pairByStructure(m_baseline, m_candidate)) {
      const bool isTaken =
          m_partners[pair.baselineEntry] != dumps::kNone || isCandidateTaken[pair.candidateEntry];
      if (!isTaken && setNamed(pair.baselineRow, {pair.candidateEntry, pair.candidateRow})) {
        m_isCandidatePaired[pair.candidateEntry] = true;
        ++count;
      }
    }
    if (count > 0) {
      m_result.notes.push_back(
          {ULP_TR_NOOP("PyTorch and ATB name nothing alike: %1 tensors are paired by the rules of "
                       "`msit llm compare`; the data of a mapping file pair others "
                       "(docs/mapping.md)"),
           {std::to_string(count)}});
    }
  }

  /// What has no partner by its place may have one by its meaning.
  Result<> matchSites() {
    std::vector<bool> isLeftOut = m_isCandidatePaired;
    for (std::size_t i = 0; i < m_candidateAgain.size(); ++i) {
      isLeftOut[i] = isLeftOut[i] || m_candidateAgain[i];
    }
    const auto sites = ULP_TRY(sitesOf(m_candidate, isLeftOut, m_mapping, m_error));
    for (std::size_t i = 0; !sites.empty() && i < m_partners.size(); ++i) {
      const DumpEntry& entry = m_baseline.entries[i];
      const bool isSettled = (!m_baselineAgain.empty() && m_baselineAgain[i]) || hasNamedRows(i);
      for (const std::size_t row : entry.rows()) {
        if (m_partners[i] != dumps::kNone || isSettled) {
          break;
        }
        if (m_pace.isStopped()) {
          return stopped();
        }
        const auto found = sites.find(siteKey(siteOf(m_baseline, i, row)));
        if (found != sites.end() && !m_isCandidatePaired[found->second.entry] &&
            mayMeet(entry, m_candidate.entries[found->second.entry])) {
          setPartner(i, found->second.entry);
          m_bySite[i] = {row, found->second.row};
        }
      }
    }
    return {};
  }

  /// Calls of a function in modules that are known to be others only have a number in common.
  [[nodiscard]] bool mayMeet(const DumpEntry& left, const DumpEntry& right) {
    return left.kind != EntryKind::Api || right.kind != EntryKind::Api || left.module.empty() ||
           right.module.empty() ||
           left.module ==
               m_error.valueOf([&] { return m_mapping.map(right.module); }, right.module);
  }

  [[nodiscard]] bool hasNamedRows(std::size_t index) const {
    const DumpEntry& entry = m_baseline.entries[index];
    const auto first = m_named.lower_bound(entry.firstRow);
    return first != m_named.end() && first->first < entry.firstRow + entry.rowCount;
  }

  /// Of these two entries, which may be others than the partners where the mapping names rows.
  std::size_t pairOf(std::size_t baseline, std::size_t candidate) {
    for (std::size_t i = m_result.entries.size(); i > 0; --i) {
      const EntryPair& pair = m_result.entries[i - 1];
      if (pair.baseline != baseline) {
        break;
      }
      if (pair.candidate == candidate) {
        return i - 1;
      }
    }
    m_result.entries.push_back({baseline, candidate});
    return m_result.entries.size() - 1;
  }

  Result<> pairRows(std::size_t index) {
    const DumpEntry& left = m_baseline.entries[index];
    const std::size_t other = m_partners[index];
    const std::size_t pair = other == dumps::kNone ? dumps::kNone : pairOf(index, other);
    // Tools that meet by meaning alone name roles and indices each in its own way.
    const auto meant = m_bySite.find(index);
    if (other != dumps::kNone) {
      m_candidateRows.lookAt(m_candidate.entries[other]);
    }
    const auto isFree = [this](std::size_t row) { return !m_isCandidateRowPaired[row]; };
    for (const std::size_t r : left.rows()) {
      if (m_pace.isStopped()) {
        return stopped();
      }
      if (const auto named = m_named.find(r); named != m_named.end()) {
        m_result.rows.push_back({r, named->second.row, pairOf(index, named->second.entry)});
        continue;
      }
      std::size_t partner = dumps::kNone;
      if (meant != m_bySite.end() && meant->second.first == r) {
        partner = meant->second.second;
      } else if (other != dumps::kNone) {
        partner = m_candidateRows.find(m_baseline.rows[r], isFree);
      }
      if (partner == dumps::kNone) {
        m_result.onlyBaselineRows.push_back(r);
      } else {
        m_isCandidateRowPaired[partner] = true;
        m_result.rows.push_back({r, partner, pair});
      }
    }
    return {};
  }

  void listCandidate() {
    for (std::size_t i = 0; i < m_candidate.entries.size(); ++i) {
      const DumpEntry& entry = m_candidate.entries[i];
      const bool hasPaired =
          m_isCandidatePaired[i] || std::ranges::any_of(entry.rows(), [this](std::size_t row) {
            return bool{m_isCandidateRowPaired[row]};
          });
      if (!hasPaired) {
        m_result.onlyCandidateEntries.push_back(i);
        continue;
      }
      for (const std::size_t r : entry.rows()) {
        if (!m_isCandidateRowPaired[r]) {
          m_result.onlyCandidateRows.push_back(r);
        }
      }
    }
  }

  /// What runs again, and functions that a module calls more often on one side.
  void explain() {
    static constexpr const char* kAgain =
        "runs again what activation checkpointing did not keep; the other side does not";
    const auto callsOf = [](const DumpUnit& unit) {
      std::unordered_map<std::string, std::size_t> counts;
      for (const DumpEntry& entry : unit.entries) {
        counts[placeKey(entry)] += entry.kind == EntryKind::Api ? 1 : 0;
      }
      return counts;
    };
    if (m_result.onlyBaselineEntries.empty() && m_result.onlyCandidateEntries.empty()) {
      return;
    }
    const auto own = callsOf(m_baseline);
    const auto others = callsOf(m_candidate);
    const auto explainSide = [](const DumpUnit& unit,
                                const std::vector<bool>& again,
                                const std::vector<std::size_t>& entries,
                                const auto& here,
                                const auto& there,
                                std::map<std::size_t, std::string>& reasons) {
      for (const std::size_t i : entries) {
        const std::string key = placeKey(unit.entries[i]);
        const auto count = there.find(key);
        if (!again.empty() && again[i]) {
          reasons.emplace(i, kAgain);
        } else if (unit.entries[i].kind == EntryKind::Api && count != there.end() &&
                   count->second > 0) {
          reasons.emplace(i,
                          fmt::format("there are {} such calls here, {} on the other side",
                                      here.at(key),
                                      count->second));
        }
      }
    };
    explainSide(m_baseline,
                m_baselineAgain,
                m_result.onlyBaselineEntries,
                own,
                others,
                m_result.baselineReasons);
    explainSide(m_candidate,
                m_candidateAgain,
                m_result.onlyCandidateEntries,
                others,
                own,
                m_result.candidateReasons);
  }

  [[nodiscard]] static std::string placeKey(const DumpEntry& entry) {
    return fmt::format("{}|{}|{}", toString(entry.pass), entry.module, entry.operation);
  }

  const DumpUnit& m_baseline;
  const DumpUnit& m_candidate;
  const SiteMapping& m_mapping;
  std::vector<bool> m_baselineAgain;    ///< as recomputedCalls() gives it
  std::vector<bool> m_candidateAgain;   ///< the same
  std::vector<std::size_t> m_partners;  ///< of the baseline's entries
  std::vector<bool> m_isCandidatePaired;
  std::vector<bool> m_isCandidateRowPaired;
  /// Rows of both sides by which entries meet, by the baseline's entry.
  std::unordered_map<std::size_t, std::pair<std::size_t, std::size_t>> m_bySite;
  /// Rows of the baseline that have their partner by name or structure.
  std::map<std::size_t, RowPlace> m_named;
  RowLookup m_candidateRows;
  StopPace m_pace;
  FirstError m_error;
  UnitMatching m_result;
};

}  // namespace

Result<UnitMatching> matchUnits(const DumpUnit& baseline,
                                const DumpUnit& candidate,
                                const SiteMapping& mapping) {
  return Matcher(baseline, candidate, mapping).match();
}

}  // namespace ulp::analysis
