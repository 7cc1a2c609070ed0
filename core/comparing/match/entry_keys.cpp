#include "core/comparing/match/entry_keys.h"

#include <fmt/format.h>
#include <unordered_map>
#include <utility>

#include "core/comparing/match/recomputed_calls.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::EntryKind;

const SiteMapping& orNone(const SiteMapping* mapping) {
  static const SiteMapping kNone;
  return mapping == nullptr ? kNone : *mapping;
}

KeyRules rulesFor(const SiteMapping& mapping,
                  const std::vector<bool>& baselineAgain,
                  const std::vector<bool>& candidateAgain) {
  return {.countsCalls =
              mapping.dumps().isFuzzy || !baselineAgain.empty() || !candidateAgain.empty()};
}

}  // namespace

bool renames(const SiteMapping& mapping) {
  return mapping.hasNames() || !mapping.dumps().cells.empty() || !mapping.dumps().layers.empty();
}

const DumpEntry& scopeOf(const dumps::DumpUnit& unit, const DumpEntry& entry) {
  const bool isEnclosed = entry.kind == EntryKind::Api && entry.parent != dumps::kNone;
  return isEnclosed ? unit.entries[entry.parent] : entry;
}

const std::string& pathOf(const dumps::DumpUnit& unit, const DumpEntry& entry) {
  return entry.isNamed() ? entry.name : scopeOf(unit, entry).module;
}

EntryKeys::EntryKeys(const dumps::DumpUnit& unit,
                     const SiteMapping* mapping,
                     std::vector<bool> recomputed,
                     KeyRules rules)
    : m_unit(unit),
      m_mapping(mapping),
      m_recomputed(std::move(recomputed)),
      m_rules(rules),
      m_names(unit, orNone(mapping)) {
  if (rules.countsCalls) {
    countCalls();
  }
  m_keys.reserve(unit.entries.size());
  m_places.reserve(unit.entries.size());
  std::unordered_map<std::string, std::size_t> repeats;
  for (std::size_t i = 0; i < unit.entries.size(); ++i) {
    EntryKey key = base(i);
    const std::string text = key.text();
    if (!m_places.insert(text, i).second && !rules.leavesCallsOut) {
      key.after += fmt::format("#{}", ++repeats[text]);
      m_places.insert(key.text(), i);
    }
    m_keys.push_back(std::move(key));
  }
}

std::size_t EntryKeys::find(const std::string& text) const {
  return m_places.find(text).value_or(dumps::kNone);
}

std::string EntryKeys::mapped(const DumpEntry& entry, const std::string& path) {
  if (m_mapping == nullptr) {
    return path;
  }
  const bool hasClass = entry.kind == EntryKind::Module || entry.kind == EntryKind::Gradient;
  return m_names.mapped(path, hasClass ? entry.operation : std::string());
}

void EntryKeys::countCalls() {
  std::unordered_map<std::string, std::uint64_t> counts;
  for (std::size_t i = 0; i < m_unit.entries.size(); ++i) {
    const DumpEntry& entry = m_unit.entries[i];
    const bool isAgain = !m_recomputed.empty() && m_recomputed[i];
    m_calls.push_back(counts[fmt::format("{}|{}|{}|{}",
                                         static_cast<int>(entry.kind),
                                         toString(entry.pass),
                                         isAgain,
                                         entry.module)]++);
  }
}

std::string EntryKeys::call(std::size_t index) const {
  if (m_rules.leavesCallsOut) {
    return "";
  }
  const bool isAgain = !m_recomputed.empty() && m_recomputed[index];
  return fmt::format("{}{}",
                     isAgain ? "again " : "",
                     m_calls.empty() ? m_unit.entries[index].call : m_calls[index]);
}

/// The enclosing module call; its own key does for it, and tells calls of the same module apart.
std::string EntryKeys::scopeCall(const DumpEntry& entry) const {
  return entry.parent == dumps::kNone ? "" : "#" + call(entry.parent);
}

EntryKey EntryKeys::base(std::size_t index) {
  const DumpEntry& entry = m_unit.entries[index];
  const std::string pass(toString(entry.pass));
  switch (entry.kind) {
    case EntryKind::Module:
      return {
          fmt::format("m|{}|", pass), mapped(entry, entry.module), fmt::format("|{}", call(index))};
    case EntryKind::Gradient:
      return {fmt::format("g|{}|", pass), mapped(entry, entry.module), ""};
    case EntryKind::Api: {
      const DumpEntry& scope = scopeOf(m_unit, entry);
      const bool isAgain = &scope == &entry && !m_recomputed.empty() && m_recomputed[index];
      return {fmt::format("a|{}|", pass),
              mapped(scope, scope.module),
              fmt::format("{}|{}{}", scopeCall(entry), isAgain ? "again " : "", entry.operation)};
    }
    case EntryKind::Saved:
    case EntryKind::Tensor:
      break;
  }
  return {fmt::format("t|{}|", pass), mapped(entry, entry.name), ""};
}

PairedKeys::PairedKeys(const dumps::DumpUnit& baselineUnit,
                       const dumps::DumpUnit& candidateUnit,
                       const SiteMapping& mapping)
    : PairedKeys(baselineUnit,
                 candidateUnit,
                 mapping,
                 recomputedCalls(baselineUnit),
                 recomputedCalls(candidateUnit)) {}

PairedKeys::PairedKeys(const dumps::DumpUnit& baselineUnit,
                       const dumps::DumpUnit& candidateUnit,
                       const SiteMapping& mapping,
                       const std::vector<bool>& baselineAgain,
                       const std::vector<bool>& candidateAgain)
    : baseline(
          baselineUnit, nullptr, baselineAgain, rulesFor(mapping, baselineAgain, candidateAgain)),
      candidate(candidateUnit,
                renames(mapping) ? &mapping : nullptr,
                candidateAgain,
                rulesFor(mapping, baselineAgain, candidateAgain)) {}

}  // namespace ulp::analysis
